package postgres_test

import (
	"context"
	"testing"

	"github.com/bodymotion/motion/storage/storagetest"
)

var background = context.Background()

func TestStore(t *testing.T) { storagetest.Store(t, driver) }

func TestRelabeler(t *testing.T) { storagetest.Relabeler(t, driver) }

func TestAnswerKeeper(t *testing.T) { storagetest.AnswerKeeper(t, driver) }

func BenchmarkStore(b *testing.B) { storagetest.BenchStore(b, driver) }
