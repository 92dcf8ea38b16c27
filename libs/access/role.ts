/** Roles of clients. `submit-own` allows documents of the node with the name of the certificate. */
export const roles = ['submit', 'submit-own', 'query', 'metrics', 'admin'] as const;
export type Role = (typeof roles)[number];

export const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text);
