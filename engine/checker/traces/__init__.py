"""Check search traces: records that programs in any language have written themselves."""
