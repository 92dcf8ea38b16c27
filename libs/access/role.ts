/** What a client may do. `submit-own`: submit commands for the node whose name the certificate has. */
export const roles = ['submit', 'submit-own', 'query', 'metrics', 'admin'] as const;
export type Role = (typeof roles)[number];

export const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text);
