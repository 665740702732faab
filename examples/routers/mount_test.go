package routers

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/gorilla/mux"
	"github.com/labstack/echo/v4"

	"github.com/bodymotion/motion/httpapi"
)

// prefix is where the API is mounted.
const prefix = "/anymotion/v1"

// way is a way to mount the API.
type way struct {
	name  string
	opt   httpapi.Options
	mount func(api http.Handler) http.Handler
}

var ways = []way{
	{"http.ServeMux", httpapi.Options{}, func(api http.Handler) http.Handler {
		m := http.NewServeMux()
		m.Handle(prefix+"/", http.StripPrefix(prefix, api))
		return m
	}},
	{"http.ServeMux without StripPrefix", httpapi.Options{Prefix: prefix}, func(api http.Handler) http.Handler {
		m := http.NewServeMux()
		m.Handle(prefix+"/", api)
		return m
	}},
	{"chi", httpapi.Options{}, func(api http.Handler) http.Handler {
		r := chi.NewRouter()
		r.Mount(prefix, http.StripPrefix(prefix, api))
		return r
	}},
	{"chi without StripPrefix", httpapi.Options{Prefix: prefix}, func(api http.Handler) http.Handler {
		r := chi.NewRouter()
		r.Mount(prefix, api)
		return r
	}},
	{"gorilla/mux", httpapi.Options{}, func(api http.Handler) http.Handler {
		r := mux.NewRouter()
		r.PathPrefix(prefix + "/").Handler(http.StripPrefix(prefix, api))
		return r
	}},
	{"gorilla/mux without StripPrefix", httpapi.Options{Prefix: prefix}, func(api http.Handler) http.Handler {
		r := mux.NewRouter()
		r.PathPrefix(prefix + "/").Handler(api)
		return r
	}},
	{"echo", httpapi.Options{}, func(api http.Handler) http.Handler {
		e := echo.New()
		e.Any(prefix+"/*", echo.WrapHandler(http.StripPrefix(prefix, api)))
		return e
	}},
	{"echo without StripPrefix", httpapi.Options{Prefix: prefix}, func(api http.Handler) http.Handler {
		e := echo.New()
		e.Any(prefix+"/*", echo.WrapHandler(api))
		return e
	}},
	{"gin", httpapi.Options{}, func(api http.Handler) http.Handler {
		gin.SetMode(gin.ReleaseMode)
		r := gin.New()
		r.Any(prefix+"/*path", gin.WrapH(http.StripPrefix(prefix, api)))
		return r
	}},
	{"gin without StripPrefix", httpapi.Options{Prefix: prefix}, func(api http.Handler) http.Handler {
		gin.SetMode(gin.ReleaseMode)
		r := gin.New()
		r.Any(prefix+"/*path", gin.WrapH(api))
		return r
	}},
}
