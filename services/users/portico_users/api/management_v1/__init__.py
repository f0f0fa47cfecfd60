"""Operations of `portico.management.v1`, and of `portico.admin.v1` where the instance has the same."""
