export * from './grants.ts'
export * from './introspect.ts'
export * from './sign-in.ts'
export * from './tokens.ts'
