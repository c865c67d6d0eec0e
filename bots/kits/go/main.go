// A bot that plays a random legal move. Make it better: everything that you may know is in observation.
//
// What is written to os.Stderr is the log that you read beside the replay; os.Stdout is for answers alone.
package main

// choose returns the id of one of the legal moves.
func choose(observation map[string]any, legal []Choice, match *Match) int {
	return legal[match.Random.Intn(len(legal))].ID
}

func main() {
	play(choose)
}
