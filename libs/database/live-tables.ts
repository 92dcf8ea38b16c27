/** Selects the live generation. Has no parameters, so that a read transaction can begin with it. */
export const liveTablesQuery = `SELECT generation, schema_name AS schema, projection_version AS "projectionVersion"
  FROM nodeledger.generations WHERE state = 'live'`;
