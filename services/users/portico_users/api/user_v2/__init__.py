"""Operations of `portico.user.v2`."""
