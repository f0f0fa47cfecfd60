"""Operations on the settings of the instance."""
