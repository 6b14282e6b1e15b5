import { Prisma } from '@prisma/client'

/** Fields of each model, by name. */
export const MODELS = new Map(
  Prisma.dmmf.datamodel.models.map(({ name, fields }) => [name, new Map(fields.map((field) => [field.name, field]))]),
)
