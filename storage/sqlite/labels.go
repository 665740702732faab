package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"

	"github.com/bodymotion/motion/internal/driver"
	"github.com/bodymotion/motion/storage"
)

const (
	countSQL, labelSQL, labelsSQL = driver.CountSQL, driver.LabelSQL, driver.LabelsSQL

	theseSQL = columns + ` INDEXED BY records_id WHERE owner = ? AND kind = ? AND id IN (SELECT value FROM json_each(?))`
)

// dialect turns queries of package driver into those of SQLite.
var dialect = strings.NewReplacer("$", "?", "motion.records r", "records r INDEXED BY records_status", "motion.", "")

// index is a driver.Index in a transaction.
type index struct {
	*store
	tx    *sql.Tx
	owner string
	kind  storage.Kind
}

func (x index) Rows(ctx context.Context, query string, args ...any) (list [][2]int64, err error) {
	rows, err := x.in(ctx, x.tx, query).QueryContext(ctx, append([]any{x.owner, x.kind}, args...)...)
	if err != nil {
		return nil, kind(ctx, err)
	}
	defer rows.Close()
	for rows.Next() {
		var row [2]int64
		if err := rows.Scan(&row[0], &row[1]); err != nil {
			return nil, kind(ctx, err)
		}
		list = append(list, row)
	}
	return list, kind(ctx, rows.Err())
}

func (x index) Records(ctx context.Context, ids []int64) ([]storage.Record, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	records, _, err := read(ctx, x.in(ctx, x.tx, theseSQL), x.owner, x.kind, list)
	return records, err
}
