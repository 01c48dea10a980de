// What host threads synchronise with, as hooked programs call it: mutexes, condition variables,
// semaphores, joins.
//
// How host threads are ordered among each other is not followed. But a stream's host function may
// hand on to main, by one of these or by an atomic variable, that the stream has come so far; main
// takes it with one of these. See host_threads.hpp.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/access/host_threads.hpp"

#include <tilesim/detail/machine.hpp>

#include <condition_variable>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <thread>

#define HOOK(result, name) extern "C" TILESIM_EXPORT result tilesim_hook_##name

namespace {

template <class T>
T acquired(T result) {
  tilesim::sim::host_acquires();
  return result;
}

} // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): the names are libc's and libstdc++'s.
HOOK(int, pthread_mutex_lock)(pthread_mutex_t* m) {
  return acquired(pthread_mutex_lock(m));
}
HOOK(int, pthread_mutex_trylock)(pthread_mutex_t* m) {
  return acquired(pthread_mutex_trylock(m));
}
HOOK(int, pthread_rwlock_rdlock)(pthread_rwlock_t* l) {
  return acquired(pthread_rwlock_rdlock(l));
}
HOOK(int, pthread_rwlock_wrlock)(pthread_rwlock_t* l) {
  return acquired(pthread_rwlock_wrlock(l));
}
HOOK(int, pthread_cond_wait)(pthread_cond_t* c, pthread_mutex_t* m) {
  return acquired(pthread_cond_wait(c, m));
}
HOOK(int, pthread_cond_timedwait)(pthread_cond_t* c, pthread_mutex_t* m, const timespec* until) {
  return acquired(pthread_cond_timedwait(c, m, until));
}
HOOK(int, pthread_join)(pthread_t t, void** result) {
  return acquired(pthread_join(t, result));
}
HOOK(int, sem_wait)(sem_t* s) {
  return acquired(sem_wait(s));
}
HOOK(int, sem_trywait)(sem_t* s) {
  return acquired(sem_trywait(s));
}
HOOK(void, _ZNSt6thread4joinEv)(std::thread* t) {
  t->join();
  tilesim::sim::host_acquires();
}
HOOK(void, _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE)
(std::condition_variable* c, std::unique_lock<std::mutex>& lock) {
  c->wait(lock);
  tilesim::sim::host_acquires();
}

HOOK(int, pthread_mutex_unlock)(pthread_mutex_t* m) {
  tilesim::sim::host_releases();
  return pthread_mutex_unlock(m);
}
HOOK(int, pthread_rwlock_unlock)(pthread_rwlock_t* l) {
  tilesim::sim::host_releases();
  return pthread_rwlock_unlock(l);
}
HOOK(int, pthread_cond_signal)(pthread_cond_t* c) {
  tilesim::sim::host_releases();
  return pthread_cond_signal(c);
}
HOOK(int, pthread_cond_broadcast)(pthread_cond_t* c) {
  tilesim::sim::host_releases();
  return pthread_cond_broadcast(c);
}
HOOK(int, sem_post)(sem_t* s) {
  tilesim::sim::host_releases();
  return sem_post(s);
}
HOOK(void, _ZNSt18condition_variable10notify_oneEv)(std::condition_variable* c) {
  tilesim::sim::host_releases();
  c->notify_one();
}
HOOK(void, _ZNSt18condition_variable10notify_allEv)(std::condition_variable* c) {
  tilesim::sim::host_releases();
  c->notify_all();
}
// NOLINTEND(bugprone-reserved-identifier)
