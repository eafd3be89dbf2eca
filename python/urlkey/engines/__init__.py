"""Keys of columns: Arrow, and the libraries that speak it. One library a module, imported where it is named."""
