/** Largest ratio of output to input in deflate (RFC 1951), in which two bits can represent 258 bytes. */
export const mostExpansion = 1032;
