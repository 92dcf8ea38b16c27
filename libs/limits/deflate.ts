/** Highest expansion by deflate (RFC 1951): two bits can represent 258 bytes. */
export const mostExpansion = 1032;
