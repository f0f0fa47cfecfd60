"""Hash formats of other systems are converted to the format that is verified here (MG-12)."""

from __future__ import annotations

from typing import Final

import pytest
from portico_oauth.errors import ServiceError
from portico_users.credentials.passwords.hash_kinds import HashCosts, kind_of
from portico_users.credentials.passwords.imported_hashes import describe, is_made_by, matches, stored_hash

PASSWORD: Final = "correct horse battery é"
OWN: Final = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$" + "A" * 43

FOREIGN: Final = {
    "argon2id with padding": "$argon2id$v=19$m=64,t=1,p=1$20FhQtZtJs3ie/y7Xphsdw==$8VoDnSBlgWZWLauXKYSDQ3jcIEJ8zzmZj7zlSmbQDwc=",
    "argon2id, costs in another order": "$argon2id$v=19$t=1,p=1,m=64$20FhQtZtJs3ie/y7Xphsdw$8VoDnSBlgWZWLauXKYSDQ3jcIEJ8zzmZj7zlSmbQDwc",
    "LDAP {ARGON2}": "{ARGON2}$argon2id$v=19$m=64,t=1,p=1$20FhQtZtJs3ie/y7Xphsdw$8VoDnSBlgWZWLauXKYSDQ3jcIEJ8zzmZj7zlSmbQDwc",
    "LDAP {BCRYPT}": "{BCRYPT}$2b$04$om3Sr05Cobu0MvpjoE7jX.rVaVGB1nz4TerhQjHFWZOmLxCqdkXHe",
    "LDAP {CRYPT}": "{CRYPT}$6$rounds=1000$YpMAPhDNuEoR8FJd$UAfFF7MJp8r2AWuVOBmHER2unU175L.Tf9AirRMGfGuplyq3qeTWzfvtg5a/bl2yF/APhBntFcpk2ungDvAV6/",
    "LDAP {crypt}": "{crypt}$2b$04$om3Sr05Cobu0MvpjoE7jX.rVaVGB1nz4TerhQjHFWZOmLxCqdkXHe",
    "LDAP {SSHA}": "{SSHA}/8uMpeCjo4OzHxhD6o4t4QJf1RJjGkomfDLhVw==",
    "LDAP {SSHA256}": "{SSHA256}M4fZtUZ78b9370v9+WNHfbgWQisak8BDRBHDPPtQ69EDYGwtBeDcGw==",
    "LDAP {SSHA512}": "{SSHA512}zvnw/jnNmyrY9XaBKAxOpu5JKUTmOEImadwSUfGPmavIDUl7t3x6aQtkLv9i9xVHItZlyjtsHaIx5dJSY52QUs6Zc+69N4bw",
    "Spring {bcrypt}": "{bcrypt}$2b$04$om3Sr05Cobu0MvpjoE7jX.rVaVGB1nz4TerhQjHFWZOmLxCqdkXHe",
    "Spring {argon2@SpringSecurity_v5_8}": "{argon2@SpringSecurity_v5_8}$argon2id$v=19$m=64,t=1,p=1$20FhQtZtJs3ie/y7Xphsdw$8VoDnSBlgWZWLauXKYSDQ3jcIEJ8zzmZj7zlSmbQDwc",
    "Django PBKDF2": "pbkdf2_sha256$10$a.salt-of_Django$o6HLRLdkUn4m0I8xwAd843+LoSaxShLGVbYoouhNKbg=",
    "Django PBKDF2 with SHA-1": "pbkdf2_sha1$10$saltofDjango$HTIdE6lAnAytnFdxfkkHgiVm1e8=",
    "Django argon2": "argon2$argon2id$v=19$m=64,t=1,p=2$c2FsdG9mRGphbmdv$LjmFje7qPSh1PZ2D9BBfCVnVJwpTqIFGEuZn7jJpHF8",
    "Django bcrypt": "bcrypt$$2b$04$xRhYJRP7VaoNm.EvvA1Hdea1tTUeFO8p4RMEMbymq85VMHcQGfG5u",
    "Django bcrypt_sha256": "bcrypt_sha256$$2b$04$PHH7LnKdjw54ZR8TOXM0TOK6ovQ.0t2gn19varwLDKTQ2e8J3JCJy",
    "Django scrypt": "scrypt$16$saltofDjango$8$5$5tuF2vHwzPNxA0LO3R52wiEB9YKZBWEf8Bbw8H+qGONwUsdVeOr7ZK7dC4oPlQRpYQ/zjZxclsjQ3i5j+HCeJg==",
    "Werkzeug scrypt": "scrypt:1024:8:1$kk3VIMWyWBwJxB3r$6085449c51dc743708fc6826ad65cfbb836ba15ffd9554d8b640d26c41d3e254972d2470004c0cab40821aa8134efbc085ae91071361efe2a3ae296fe79ae52d",
    "Werkzeug PBKDF2": "pbkdf2:sha512:10$yDF9e1Te5O$dc437f0399f2d5e8da8786516fbbe1fb96d40f1eacc4e744b21a542ed4c48a0bb0e4a5958517986892f6a73a814dcd4e418c78ae4b690fda8d7df06f248edbb5",
    "Spring Password4j, salt of 64 bytes": "{argon2}$argon2id$v=19$m=64,t=1,p=1$/1JQo4ULMRFgp4Pytu/TWaOIDKfFv56jN682RUrTQPgLrXMuRK2Ge0yzEdlpLgqV7VmV7blM2rNkEOjV0cP9cQ$Uk2uaqcfvqk0dpuLNAXJ53o6APQRLdXvFDb2blRtyAs",
    "Dovecot {SHA256-CRYPT}": "{SHA256-CRYPT}$5$rounds=1000$saltfordoveco$PiJBjD6snO1AqW91tefMJh6beiS8ZCFGvUn.SYGH3T0",
    "Dovecot {MD5-CRYPT}": "{MD5-CRYPT}$1$saltdove$AeKCOSm.WVErDFx/Xz6sF/",
    "Dovecot {ARGON2ID}": "{ARGON2ID}$argon2id$v=19$m=64,t=1,p=1$20FhQtZtJs3ie/y7Xphsdw$8VoDnSBlgWZWLauXKYSDQ3jcIEJ8zzmZj7zlSmbQDwc",
    "Dovecot {ARGON2I}": "{ARGON2I}$argon2i$v=19$m=64,t=1,p=1$sPvXZfWlcXk++6Pvb38MBw$OzStWv5Fena/O269oJljSZxY7+KfjxLBDTTWFqv0rvk",
    "Nextcloud 3": "3|$argon2id$v=19$m=64,t=1,p=1$20FhQtZtJs3ie/y7Xphsdw$8VoDnSBlgWZWLauXKYSDQ3jcIEJ8zzmZj7zlSmbQDwc",
    "Nextcloud 2": "2|$argon2i$v=19$m=64,t=1,p=1$sPvXZfWlcXk++6Pvb38MBw$OzStWv5Fena/O269oJljSZxY7+KfjxLBDTTWFqv0rvk",
    "Nextcloud 1": "1|$2b$04$4uVZzaoXDrahFZRmAFCBRuA12NmjjcsC18yGEpBWafSaHzSfuRhFO",
    "passlib bcrypt_sha256": "$bcrypt-sha256$v=2,t=2b,r=4$q04bp5SlUsp3u0L6m85sX.$z0DD5XjAd.mF/RBqrVSCFPZ6zUIvCgC",
    "passlib bcrypt_sha256 before 1.7.3": "$bcrypt-sha256$2b,4$vjdpAqf2Xu8c0GLL5aITX.$CeLO37Y7zGCoe66yQFwNd3C3CNvTNze",
    "WordPress 6.8": "$wp$2y$04$6h9oi4s0fMHOdblXAt83WOozgu6YAahrT3M/HiS3XYCSVTmpkdHYO",
}  # fmt: skip
"""Created with passlib's OpenLDAP formats and bcrypt_sha256, Django 5.2, Werkzeug 3.1, argon2-cffi, the C library's
crypt, and bcrypt over the HMAC that WordPress documents.
"""

PUBLISHED: Final = {
    "Drupal 7 (hashcat's example)": ("$S$C33783772bRXEx1aCsvY.dqgaaSu76XmVlKrW9Qu8IQlvxHlmzLf", "hashcat"),
    "ASP.NET Core Identity v2": ("AAABAgMEBQYHCAkKCwwNDg+ukCEMDf0yyQ29NYubggHIVY0sdEUfdyeM+E1LtH1uJg==", "my password"),
    "ASP.NET Core Identity v3": ("AQAAAAIAAAAyAAAAEOMwvh3+FZxqkdMBz2ekgGhwQ4B6pZWND6zgESBuWiHw", "my password"),
    "ASP.NET Core Identity v3, longer": (
        "AQAAAAIAAAD6AAAAIJbVi5wbMR+htSfFp8fTw8N8GOS/Sje+S/4YZcgBfU7EQuqv4OkVYmc4VJl9AGZzmRTxSkP7LtVi9IWyUxX8IAAfZ8v+ZfhjCcudtC1YERSqE1OEdXLW9VukPuJWBBjLuw==",
        "my password",
    ),
    "Dovecot {SHA512-CRYPT} (doveadm)": (
        "{SHA512-CRYPT}$6$dEqUVsCirHzV8kHw$hgC0x0ufah.N0PzUVvhLEMnoww5lo.JBmeLSsRNDkgWVylC55Gk6zA1KWsn.SiIAAIDEqHxtugGZWHl1qMex..",
        "onetestandone",
    ),
    "Dovecot {BLF-CRYPT}": ("{BLF-CRYPT}$2y$05$m.GdQNMyUFNG0vPsaXxSB.0ZQqZhe1e9Un841oBcWi6U6HRF2Kmky", "summersun"),
    "MediaWiki :pbkdf2:": (":pbkdf2:sha1:4096:20:c2FsdA==:SwB5AbdlSJq+rUnZJvch0GWkKcE=", "password"),
    "MediaWiki :pbkdf2:, a NUL": (":pbkdf2:sha1:4096:16:c2EAbHQ=:Vvpqp1VICZ3MN9fwNCXgww==", "pass\x00word"),
    "MediaWiki :B: (hashcat's example)": (":B:56668501:0ce106caa70af57fd525aeaf80ef2898", "hashcat"),
}  # fmt: skip
"""From the test suites of the sources and from guides."""

ALL: Final = {name: (hash, PASSWORD) for name, hash in FOREIGN.items()} | PUBLISHED


def test_wrapped_hashes_are_imported() -> None:
    """The right password matches, another one does not, the kind of the hash matches no password, and the cost
    is known.
    """
    wrong = []
    costs = HashCosts(OWN)
    for name, (hash, password) in ALL.items():
        stored = stored_hash(hash)
        kind = kind_of(stored)
        is_right = matches(stored, password) and not matches(stored, f"{password}!")
        is_settled = stored_hash(stored) == stored and kind_of(kind) == kind and not matches(kind, password)
        if not (is_right and is_settled and costs.seconds(stored) > 0 and describe(hash) == describe(stored) != ""):
            wrong.append(name)

    assert wrong == []


@pytest.mark.parametrize(
    ("name", "algorithms"),
    [
        ("LDAP {SSHA}", ["ssha", "SSHA"]),
        ("LDAP {BCRYPT}", ["bcrypt"]),
        ("Django PBKDF2", ["pbkdf2", "pbkdf2_sha256"]),
        ("Django argon2", ["argon2", "argon2id"]),
        ("Dovecot {SHA256-CRYPT}", ["sha256-crypt", "sha2"]),
        ("passlib bcrypt_sha256", ["bcrypt-sha256"]),
    ],
)
def test_wrapped_hash_names_its_algorithm(name: str, algorithms: list[str]) -> None:
    """The algorithm is that of the wrapped hash."""
    assert all(is_made_by(FOREIGN[name], algorithm) for algorithm in algorithms)
    assert not is_made_by(FOREIGN[name], "md5")


@pytest.mark.parametrize(
    ("hash", "id"),
    [
        ("$bcrypt-sha256$v=2,t=2b,r=15$q04bp5SlUsp3u0L6m85sX.$z0DD5XjAd.mF/RBqrVSCFPZ6zUIvCgC", "USER-321"),
        ("$bcrypt-sha256$v=3,t=2b,r=4$q04bp5SlUsp3u0L6m85sX.$z0DD5XjAd.mF/RBqrVSCFPZ6zUIvCgC", "USER-320"),
        (":pbkdf2:sha1:2000001:20:c2FsdA==:SwB5AbdlSJq+rUnZJvch0GWkKcE=", "USER-321"),
        (":pbkdf2:md5:4096:20:c2FsdA==:SwB5AbdlSJq+rUnZJvch0GWkKcE=", "USER-320"),
        (":pbkdf2:sha1:4096:20:c2FsdA:SwB5AbdlSJq+rUnZJvch0GWkKcE!", "USER-320"),
        (":A:0ce106caa70af57fd525aeaf80ef2898", "USER-320"),
        (
            "4|$argon2id$v=19$m=64,t=1,p=1$20FhQtZtJs3ie/y7Xphsdw$8VoDnSBlgWZWLauXKYSDQ3jcIEJ8zzmZj7zlSmbQDwc",
            "USER-320",
        ),
        ("{MD5-CRYPT}0ce106caa70af57fd525aeaf80ef2898", "USER-320"),
    ],
)
def test_unknown_and_expensive_wrappings_are_refused(hash: str, id: str) -> None:
    with pytest.raises(ServiceError) as refused:
        stored_hash(hash)

    assert refused.value.id == id
