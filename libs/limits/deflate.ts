/** Largest ratio of output to input in deflate (RFC 1951). At best, deflate encodes 258 bytes as two bits. */
export const mostExpansion = 1032;
