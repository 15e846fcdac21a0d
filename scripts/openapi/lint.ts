import { createConfig, lint } from '@redocly/openapi-core';

/** Checks an OpenAPI file with Redocly's recommended rules. Returns one line per problem. */
export const lintDocument = async (file: string): Promise<string[]> => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lint({ ref: file, config });
  return problems.map(
    ({ severity, ruleId, message, location }) => `${severity} ${ruleId}: ${message} ${location[0]?.pointer}`,
  );
};
