"""Operations of `portico.admin.v1` that exist for the instance only."""
