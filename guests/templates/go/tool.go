package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

type greeting struct {
	Name string `json:"name"`
}

func run(call Call) Outcome {
	var given greeting
	if err := json.Unmarshal([]byte(call.Arguments), &given); err != nil {
		return Failure(err.Error())
	}
	entries, err := os.ReadDir(call.Root)
	if err != nil {
		return Failure(err.Error())
	}
	count := 0
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), ".") {
			count++
		}
	}
	return Success(fmt.Sprintf("Hello, %s! I see %d names here.", given.Name, count))
}

func format(call Call) string {
	var given greeting
	if err := json.Unmarshal([]byte(call.Arguments), &given); err != nil {
		return ""
	}
	return "greet " + given.Name
}
