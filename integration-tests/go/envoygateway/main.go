// Tells whether Envoy Gateway takes its settings: read into its own type without room for more, then checked by its own rules.
//
//	envoygateway <settings>
package main

import (
	"fmt"
	"os"

	"github.com/envoyproxy/gateway/api/v1alpha1"
	"github.com/envoyproxy/gateway/api/v1alpha1/validation"
	"sigs.k8s.io/yaml"
)

func main() {
	if err := check(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	settings := &v1alpha1.EnvoyGateway{}
	if err := yaml.UnmarshalStrict(text, settings); err != nil {
		return err
	}
	return validation.ValidateEnvoyGateway(settings)
}
