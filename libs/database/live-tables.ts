/**
 * A statement that returns the live generation as one row (`Generation`), or no row if no generation is live. The
 * statement has no parameters, so that a read transaction can begin with it.
 */
export const liveTablesQuery = `SELECT generation, schema_name AS schema, projection_version AS "projectionVersion"
  FROM nodeledger.generations WHERE state = 'live'`;
