// The interface: streams and events.
#include "faults.h"
#include "handles.h"
#include "settings.h"

using namespace standin;

namespace {

pg_error check_same_device(const pg_event* event, int device) {
  if (event->device != device)
    return FAILURE(invalid_handle, "an event of device %d where device %d's is wanted", event->device, device);
  return success();
}

pg_error check_passed(const std::shared_ptr<Mark>& mark) {
  if (!mark) return FAILURE(invalid_handle, "an event that was never recorded");
  if (!mark->passed()) return FAILURE(event_not_ready, "an event that has not been passed yet");
  return mark->status();
}

}  // namespace

extern "C" {

pg_error pg_stream_create(int32_t device, pg_stream** stream) {
  *stream = nullptr;
  PG_TRY(refresh_settings());
  PG_TRY(enter(__func__));
  PG_TRY(check_device(device));
  *stream = Handles<pg_stream>::all().add({Queue::start(device)});
  return success();
}

pg_error pg_stream_destroy(pg_stream* stream) {
  PG_TRY(enter(__func__));
  PG_TRY(check_stream(stream));
  if (Handles<pg_stream>::all().close(stream)) stream->queue->close();
  return success();
}

pg_error pg_stream_synchronize(pg_stream* stream) {
  const pg_error failure = enter(__func__);
  if (failure.code && !lost()) return failure;
  PG_TRY(check_stream(stream));
  const pg_error status = stream->queue->synchronize();  // on a lost device too, where nothing goes on
  PG_TRY(check_works(stream->queue->device()));
  return failure.code ? failure : status;
}

pg_error pg_stream_query(pg_stream* stream) {
  PG_TRY(enter(__func__));
  PG_TRY(check_stream(stream));
  return stream->queue->query();
}

// Waits for the event's last record; without one there is nothing to wait for.
pg_error pg_stream_wait(pg_stream* stream, pg_event* event) {
  PG_TRY(enter(__func__));
  PG_TRY(check_stream(stream));
  PG_TRY(check_event(event));
  const auto mark = event->last();
  if (!mark) return success();
  return stream->queue->push({"pg_stream_wait", [mark] { return mark->wait(); }, {}, nullptr, false});
}

pg_error pg_event_create(int32_t device, pg_event** event) {
  *event = nullptr;
  PG_TRY(enter(__func__));
  PG_TRY(check_device(device));
  *event = Handles<pg_event>::all().add({device, nullptr});
  return success();
}

pg_error pg_event_destroy(pg_event* event) {
  PG_TRY(enter(__func__));
  REFUSE_UNLESS(Handles<pg_event>::all().close(event), "%p is no event, or a closed one", (void*)event);
  return success();
}

pg_error pg_event_record(pg_event* event, pg_stream* stream) {
  PG_TRY(enter(__func__));
  PG_TRY(check_stream(stream));
  PG_TRY(check_event(event));
  PG_TRY(check_same_device(event, stream->queue->device()));
  const auto mark = std::make_shared<Mark>();
  event->set(mark);
  return stream->queue->push({"pg_event_record", nullptr, {}, mark, false});
}

pg_error pg_event_synchronize(pg_event* event) {
  PG_TRY(enter(__func__));
  PG_TRY(check_event(event));
  const auto mark = event->last();
  return mark ? mark->wait() : success();
}

pg_error pg_event_query(pg_event* event) {
  PG_TRY(enter(__func__));
  PG_TRY(check_event(event));
  const auto mark = event->last();
  if (!mark) return success();
  if (!mark->passed()) return FAILURE(PG_NOT_READY, "the event has not been passed yet");
  return mark->status();
}

pg_error pg_event_elapsed(pg_event* from, pg_event* to, float* milliseconds) {
  PG_TRY(enter(__func__));
  PG_TRY(check_event(from));
  PG_TRY(check_event(to));
  PG_TRY(check_same_device(to, from->device));
  const auto first = from->last(), last = to->last();
  PG_TRY(check_passed(first));
  PG_TRY(check_passed(last));
  *milliseconds = std::chrono::duration<float, std::milli>(last->time() - first->time()).count();
  return success();
}

}  // extern "C"
