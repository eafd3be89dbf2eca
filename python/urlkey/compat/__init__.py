"""Functions under the names, and with the results, of libraries that people move over from: one module a library."""
