// Tells whether the API server of Kubernetes takes an object of a custom kind. It runs the API server's own steps: unknown
// fields, metadata, defaults, the schema, lists that are sets or maps, and the rules written in CEL.
//
//	objects <object> <definitions>...
//
// An object that is refused ends it with 1 and each reason on a line.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

func main() {
	reasons, err := check(os.Args[1], os.Args[2:])
	if err != nil {
		reasons = append(reasons, err)
	}
	for _, reason := range reasons {
		fmt.Fprintln(os.Stderr, reason)
	}
	if len(reasons) > 0 {
		os.Exit(1)
	}
}

// check returns why the object would be refused; an error if it cannot be held against anything.
func check(path string, definitions []string) ([]error, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(text); err != nil {
		return nil, err
	}
	props, err := schemaOf(object, definitions)
	if err != nil {
		return nil, err
	}
	structural, err := schema.NewStructural(props)
	if err != nil {
		return nil, err
	}
	validator, _, err := validation.NewSchemaValidator(props)
	if err != nil {
		return nil, err
	}

	var reasons []error
	content := object.Object
	tracked := schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
	unknown := pruning.PruneWithOptions(content, structural, true, tracked)
	malformed, more := objectmeta.CoerceWithOptions(nil, content, structural, true,
		objectmeta.CoerceOptions{ReturnUnknownFieldPaths: true})
	if malformed != nil {
		reasons = append(reasons, malformed)
	}
	for _, field := range append(unknown, more...) {
		reasons = append(reasons, fmt.Errorf("unknown field %s", field))
	}

	defaulting.Default(content, structural)
	refusals := validation.ValidateCustomResource(nil, content, validator)
	refusals = append(refusals, listtype.ValidateListSetsAndMaps(nil, structural, content)...)
	if rules := cel.NewValidator(structural, true, celconfig.PerCallLimit); rules != nil {
		broken, _ := rules.Validate(context.Background(), nil, structural, content, nil, celconfig.RuntimeCELCostBudget)
		refusals = append(refusals, broken...)
	}
	for _, refusal := range refusals {
		reasons = append(reasons, refusal)
	}
	return reasons, nil
}

// schemaOf returns the schema of the object's kind and version.
func schemaOf(object *unstructured.Unstructured, files []string) (*apiextensions.JSONSchemaProps, error) {
	kind := object.GroupVersionKind()
	for _, file := range files {
		definitions, err := definitionsIn(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, definition := range definitions {
			if definition.Spec.Group != kind.Group || definition.Spec.Names.Kind != kind.Kind {
				continue
			}
			for _, version := range definition.Spec.Versions {
				if version.Name == kind.Version && version.Served && version.Schema != nil {
					props := &apiextensions.JSONSchemaProps{}
					err := v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(
						version.Schema.OpenAPIV3Schema, props, nil)
					return props, err
				}
			}
		}
	}
	return nil, fmt.Errorf("no definition of %s", kind)
}

func definitionsIn(file string) ([]v1.CustomResourceDefinition, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var definitions []v1.CustomResourceDefinition
	documents := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), len(text))
	for {
		var definition v1.CustomResourceDefinition
		if err := documents.Decode(&definition); errors.Is(err, io.EOF) {
			return definitions, nil
		} else if err != nil {
			return nil, err
		}
		definitions = append(definitions, definition)
	}
}
