"""Certificates: proofs of margins, written by an exact engine and checked without it (docs/certificates.md)."""
