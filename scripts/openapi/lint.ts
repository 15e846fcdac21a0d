import { createConfig, lint } from '@redocly/openapi-core';

/** What Redocly's recommended rules find in an OpenAPI file, a line for each problem. */
export const lintDocument = async (file: string): Promise<string[]> => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lint({ ref: file, config });
  return problems.map(
    ({ severity, ruleId, message, location }) => `${severity} ${ruleId}: ${message} ${location[0]?.pointer}`,
  );
};
