#!/usr/bin/env bash
# Expected: the two argon2id encoders of one version of Spring Security differ in the library below them only, so a
#   reader with room for the usual salt of 16 bytes reads both.
# Instead: the encoder on Password4j (new in Spring Security 7) makes a salt of 64 bytes, 86 characters in the hash;
#   the older one on Bouncy Castle has 16 bytes, 22 characters. Readers that bound the salt refuse the new one.
# Versions: spring-security-crypto 7.0.8, password4j 1.8.4, bcprov-jdk18on 1.82, Java 17. Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >pom.xml <<'XML'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.example</groupId><artifactId>salts</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.springframework.security</groupId><artifactId>spring-security-crypto</artifactId><version>7.0.8</version></dependency>
    <dependency><groupId>org.springframework</groupId><artifactId>spring-core</artifactId><version>7.0.1</version></dependency>
    <dependency><groupId>com.password4j</groupId><artifactId>password4j</artifactId><version>1.8.4</version></dependency>
    <dependency><groupId>org.bouncycastle</groupId><artifactId>bcprov-jdk18on</artifactId><version>1.82</version></dependency>
  </dependencies>
</project>
XML
mvn -q -B -Dmaven.repo.local="$folder/repository" org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies -DoutputDirectory=jars
cat >Salts.java <<'JAVA'
import org.springframework.security.crypto.argon2.Argon2PasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.crypto.password4j.Argon2Password4jPasswordEncoder;

class Salts {
    public static void main(String[] arguments) {
        show("on Bouncy Castle", Argon2PasswordEncoder.defaultsForSpringSecurity_v5_8());
        show("on Password4j", new Argon2Password4jPasswordEncoder());
    }

    static void show(String name, PasswordEncoder encoder) {
        String[] parts = encoder.encode("correct horse").split("\\$");
        System.out.println(name + ": " + parts[1] + ", salt of " + parts[4].length() + " characters");
    }
}
JAVA
java -cp "jars/*" Salts.java 2>/dev/null | tee seen
diff seen - <<'SEEN'
on Bouncy Castle: argon2id, salt of 22 characters
on Password4j: argon2id, salt of 86 characters
SEEN
