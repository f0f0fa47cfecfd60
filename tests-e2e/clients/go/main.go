// A relying party and a resource server with zitadel/oidc as its documentation shows it; for one user at a time.
//
// Settings come from the environment: ISSUER, CLIENT_ID, URL, METHOD, CLIENT_SECRET, or KEY (PEM) with KID.
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/zitadel/oidc/v3/pkg/client"
	"github.com/zitadel/oidc/v3/pkg/client/rp"
	"github.com/zitadel/oidc/v3/pkg/client/rs"
	httphelper "github.com/zitadel/oidc/v3/pkg/http"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"golang.org/x/oauth2"
)

type tokens = oidc.Tokens[*oidc.IDTokenClaims]

var (
	issuer, clientID, secret = os.Getenv("ISSUER"), os.Getenv("CLIENT_ID"), os.Getenv("CLIENT_SECRET")
	key, kid                 = []byte(os.Getenv("KEY")), os.Getenv("KID")
	home, method             = os.Getenv("URL"), os.Getenv("METHOD")
	scopes                   = []string{"openid", "profile", "offline_access"}
	signedIn                 tokens
	name                     string
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "introspect" {
		introspect(os.Args[2])
		return
	}
	address, err := url.Parse(home)
	check(err)
	provider := relyingParty()
	http.Handle("/login", rp.AuthURLHandler(rand.Text, provider))
	http.Handle("/cb", rp.CodeExchangeHandler(rp.UserinfoCallback(greet), provider))
	http.HandleFunc("/refresh", func(w http.ResponseWriter, r *http.Request) { refresh(w, r, provider) })
	http.HandleFunc("/logout", func(w http.ResponseWriter, r *http.Request) {
		// The library posts for the server and returns where the browser has to go.
		next, err := rp.EndSession(r.Context(), provider, signedIn.IDToken, home+"/bye", "", "", nil)
		if answered(w, err) {
			http.Redirect(w, r, next.String(), http.StatusSeeOther)
		}
	})
	http.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "Hello ", name) })
	log.Fatal(http.ListenAndServe(address.Host, nil))
}

// relyingParty authenticates by private_key_jwt when it has a key; a secret it posts, unless the method is `default`.
func relyingParty() rp.RelyingParty {
	cookies := httphelper.NewCookieHandler([]byte(rand.Text()), nil, httphelper.WithUnsecure())
	options := []rp.Option{rp.WithPKCE(cookies)}
	if method != "default" {
		options = append(options, rp.WithAuthStyle(oauth2.AuthStyleInParams))
	}
	if len(key) > 0 {
		options = append(options, rp.WithJWTProfile(rp.SignerFromKeyAndKeyID(key, kid)))
	}
	provider, err := rp.NewRelyingPartyOIDC(
		context.Background(), issuer, clientID, secret, home+"/cb", scopes, options...)
	// end
	check(err)
	return provider
}

func greet(
	w http.ResponseWriter, r *http.Request, found *tokens, _ string, _ rp.RelyingParty, user *oidc.UserInfo,
) {
	signedIn, name = *found, user.Name
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func refresh(w http.ResponseWriter, r *http.Request, provider rp.RelyingParty) {
	assertion, kind := "", ""
	if signer := provider.Signer(); signer != nil {
		var err error
		audience := []string{issuer, provider.OAuthConfig().Endpoint.TokenURL}
		assertion, err = client.SignedJWTProfileAssertion(clientID, audience, time.Hour, signer)
		check(err)
		kind = oidc.ClientAssertionTypeJWTAssertion
	}
	next, err := rp.RefreshTokens[*oidc.IDTokenClaims](r.Context(), provider, signedIn.RefreshToken, assertion, kind)
	if !answered(w, err) {
		return
	}
	signedIn = *next
	user, err := rp.Userinfo[*oidc.UserInfo](
		r.Context(), next.AccessToken, next.TokenType, next.IDTokenClaims.Subject, provider)
	if answered(w, err) {
		fmt.Fprint(w, "Hello again ", user.Name)
	}
}

// introspect asks six times in a row, as a resource server does that serves six requests within a second.
func introspect(token string) {
	server, err := rs.NewResourceServerJWTProfile(context.Background(), issuer, clientID, kid, key)
	// end
	check(err)
	for range 6 {
		answer, err := rs.Introspect[*oidc.IntrospectionResponse](context.Background(), server, token)
		check(err)
		fmt.Println(answer.Active, answer.Subject)
	}
}

func answered(w http.ResponseWriter, err error) bool {
	if err != nil {
		log.Print(err)
		http.Error(w, err.Error(), http.StatusBadGateway)
	}
	return err == nil
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
