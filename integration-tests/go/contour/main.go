// Tells whether Contour takes its settings, as `contour serve` would at its start.
//
//	contour <settings>
package main

import (
	"fmt"
	"os"

	"github.com/projectcontour/contour/pkg/config"
)

func main() {
	if err := check(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	settings, err := config.Parse(file)
	if err != nil {
		return err
	}
	return settings.Validate()
}
