// An API that takes JWT access tokens: Spring Boot 3 as it configures a resource server by itself.
package api;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class Api {
    /** Starts the API without the lines of the guide on the first port, and with them on the second. */
    public static void main(String[] ports) {
        new SpringApplicationBuilder(Api.class).run("--server.port=" + ports[0]);
        new SpringApplicationBuilder(Api.class, tokens.AccessTokens.class).run("--server.port=" + ports[1]);
    }

    @GetMapping("/")
    String home(Authentication caller) {
        return "Hello " + caller.getName();
    }

    @GetMapping("/teams")
    String teams(@AuthenticationPrincipal Jwt token) {
        return String.join(",", token.getClaimAsStringList("teams"));
    }
}
