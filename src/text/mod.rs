//! Pure: the only displayable text from outside. Escaping, width, cutting, redaction.
