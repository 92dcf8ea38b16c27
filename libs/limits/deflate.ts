/**
 * Largest ratio of output to input in deflate (RFC 1951). It is that large because two bits can stand for 258 bytes.
 */
export const mostExpansion = 1032;
