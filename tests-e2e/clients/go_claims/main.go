// What a program with go-oidc, Grafana and Argo CD make of a claim of a claim rule in an id_token.
//
// Settings come from the environment: ISSUER, CLIENT_ID; arguments: the id_token, Grafana's role_attribute_path, and
// the policy.csv of Argo CD with the claim that its `scopes` name.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/casbin/casbin/v2"
	"github.com/casbin/casbin/v2/model"
	stringadapter "github.com/casbin/casbin/v2/persist/string-adapter"
	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/jmespath-community/go-jmespath"
)

// The model of Argo CD's assets/model.conf.
const rbac = `
[request_definition]
r = sub, res, act, obj

[policy_definition]
p = sub, res, act, obj, eft

[role_definition]
g = _, _

[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))

[matchers]
m = g(r.sub, p.sub) && keyMatch(r.res, p.res) && keyMatch(r.act, p.act) && keyMatch(r.obj, p.obj)
`

func main() {
	text, path, policy, scope := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	provider, err := oidc.NewProvider(context.Background(), os.Getenv("ISSUER"))
	check(err)
	verified, err := provider.Verifier(&oidc.Config{ClientID: os.Getenv("CLIENT_ID")}).Verify(context.Background(), text)
	check(err)
	var claims map[string]json.RawMessage
	check(verified.Claims(&claims))
	// go-oidc: into a typed member.
	var groups []string
	check(json.Unmarshal(claims[scope], &groups))
	fmt.Println("go-oidc", strings.Join(groups, ","))
	fmt.Println("grafana", grafana(path, verified))
	fmt.Println("argocd", argocd(policy, groups))
}

// Grafana searches the payload of the id_token for one text (pkg/util, SearchJSONForStringAttr).
func grafana(path string, token *oidc.IDToken) any {
	var data any
	check(token.Claims(&data))
	role, err := jmespath.Search(path, data)
	check(err)
	return role
}

// Argo CD allows a call if one of the groups may do it (util/rbac).
func argocd(policy string, groups []string) bool {
	parsed, err := model.NewModelFromString(rbac)
	check(err)
	enforcer, err := casbin.NewEnforcer(parsed, stringadapter.NewAdapter(policy))
	check(err)
	for _, group := range groups {
		allowed, err := enforcer.Enforce(group, "applications", "sync", "default/shop")
		check(err)
		if allowed {
			return true
		}
	}
	return false
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
