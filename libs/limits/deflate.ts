/** The highest compression ratio of deflate (RFC 1951): two bits can stand for 258 bytes. */
export const mostExpansion = 1032;
