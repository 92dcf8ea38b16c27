/** Deflate (RFC 1951) makes no byte into more than this many: a length of 258 bytes takes two bits. */
export const mostExpansion = 1032;
