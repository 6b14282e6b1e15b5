import type { Service } from '@callboard/contract'
import { expect } from 'vitest'
import { expectFields } from './expectations.ts'
import { FIELDS } from './specification.ts'

/** The object is a service of the specification, member for member. */
export function expectService(service: Service): void {
  expectFields(service, FIELDS.service)
  expectServiceParts(service)
}

/** The parts of a service, or of an object that extends one, have exactly their members. */
export function expectServiceParts(service: Service): void {
  expectFields(service.fee, FIELDS.fee)
  expectFields(service.liveness, FIELDS.liveness)
  expectFields(service.conformance, FIELDS.conformance)
  expect(service.endpoints.length).toBeGreaterThan(0)
  for (const endpoint of service.endpoints) {
    expectFields(endpoint, FIELDS.endpoint)
    expectFields(endpoint.payment, FIELDS.endpointPayment)
  }
}
