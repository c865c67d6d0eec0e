package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand"
	"os"
)

// Choice is one legal move under both of its names.
type Choice struct {
	ID   int            `json:"id"`
	Move map[string]any `json:"move"`
}

// Match is what hello said, and what a question tells beside the observation and the moves.
type Match struct {
	Game    string         `json:"game"`
	Mode    *string        `json:"mode"`
	Options map[string]any `json:"options"`
	Seats   int            `json:"seats"`
	Seat    int            `json:"seat"`
	Seed    string         `json:"seed"`
	// Random gives dice that are the same whenever the same match is played again.
	Random *rand.Rand `json:"-"`
	Turn   int        `json:"-"`
	// BankMS is the CPU time left for this answer and all that follow.
	BankMS int              `json:"-"`
	Events []map[string]any `json:"-"`
}

type question struct {
	Type        string           `json:"type"`
	Turn        int              `json:"turn"`
	Observation map[string]any   `json:"observation"`
	Legal       []Choice         `json:"legal"`
	Events      []map[string]any `json:"events"`
	Clock       struct {
		BankMS int `json:"bank_ms"`
	} `json:"clock"`
}

// play reads the questions of one match from stdin and writes the answers to stdout, a line of JSON each.
func play(choose func(observation map[string]any, legal []Choice, match *Match) int) {
	lines := bufio.NewReaderSize(os.Stdin, 1<<16)
	var match Match
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked question
		if err := json.Unmarshal(line, &asked); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return
		}
		switch asked.Type {
		case "hello":
			if err := json.Unmarshal(line, &match); err != nil {
				fmt.Fprintln(os.Stderr, err)
				return
			}
			seed := fnv.New64a()
			seed.Write([]byte(match.Seed))
			match.Random = rand.New(rand.NewSource(int64(seed.Sum64())))
			fmt.Println(`{"type":"ready"}`)
		case "move":
			match.Turn, match.BankMS, match.Events = asked.Turn, asked.Clock.BankMS, asked.Events
			fmt.Printf("{\"turn\":%d,\"id\":%d}\n", asked.Turn, choose(asked.Observation, asked.Legal, &match))
		case "fault":
			os.Stderr.Write(line)
		case "end":
			return
		}
	}
}
