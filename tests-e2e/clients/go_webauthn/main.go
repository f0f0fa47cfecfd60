// Reads the body of RegisterPasskey or RegisterU2F from standard input with go-webauthn's types, and prints what a
// program would sign with it.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/go-webauthn/webauthn/protocol"
)

func main() {
	var body struct {
		Options protocol.CredentialCreation `json:"publicKeyCredentialCreationOptions"`
	}
	if err := json.NewDecoder(os.Stdin).Decode(&body); err != nil {
		log.Fatal(err)
	}
	options := body.Options.Response
	fmt.Println(options.RelyingParty.ID, options.Timeout, len(options.Challenge))
	for _, one := range options.Parameters {
		fmt.Println(one.Type, one.Algorithm)
	}
}
