/** Whether Zapier runs the app. It uses AWS Lambda, which always sets these variables. */
export const isOnZapier = (): boolean =>
  ['AWS_LAMBDA_FUNCTION_NAME', 'AWS_LAMBDA_RUNTIME_API', 'LAMBDA_TASK_ROOT'].some((name) => process.env[name]);
