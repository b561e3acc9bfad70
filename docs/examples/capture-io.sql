-- Captures each completed file read and write for 5 minutes with Extended Events.
-- Permission: ALTER ANY EVENT SESSION and VIEW SERVER STATE; from SQL Server 2022 VIEW SERVER PERFORMANCE STATE.
-- The session adds work to every I/O. Capture a short busy period, and watch the free space of the folder: at most 2 GB here.
-- Change the folder in both places. The service account of SQL Server must be able to write to it. Delete the files of an earlier capture first.
IF EXISTS (SELECT 1 FROM sys.server_event_sessions WHERE name = N'iobench_capture_io')
    DROP EVENT SESSION iobench_capture_io ON SERVER;

-- To capture only one database, add to each event: WHERE (database_id = 5). A filter of the duration or the size would falsify the workload.
CREATE EVENT SESSION iobench_capture_io ON SERVER
ADD EVENT sqlserver.file_read_completed (SET collect_path = (1) ACTION (package0.event_sequence)),
ADD EVENT sqlserver.file_write_completed (SET collect_path = (1) ACTION (package0.event_sequence))
ADD TARGET package0.event_file (SET filename = N'C:\Temp\iobench_capture_io.xel', max_file_size = (256), max_rollover_files = (8))
WITH (MAX_MEMORY = 16 MB, EVENT_RETENTION_MODE = ALLOW_MULTIPLE_EVENT_LOSS, MAX_DISPATCH_LATENCY = 5 SECONDS, STARTUP_STATE = OFF);
-- In SQL Server 2025 and later, add MAX_DURATION = 6 MINUTES to the list above. The session then stops even if this connection ends.

ALTER EVENT SESSION iobench_capture_io ON SERVER STATE = START;
WAITFOR DELAY '00:05:00';
-- In SQL Server 2022 and earlier, run the STOP statement below yourself if the connection ended during the wait.
-- Lost events make rates too low. Repeat the capture with more MAX_MEMORY if one of these numbers is not 0.
SELECT dropped_event_count, dropped_buffer_count FROM sys.dm_xe_sessions WHERE name = N'iobench_capture_io';
ALTER EVENT SESSION iobench_capture_io ON SERVER STATE = STOP;
DROP EVENT SESSION iobench_capture_io ON SERVER;

-- Export: one event per row, as XML. Management Studio can truncate the XML in a text file, so save the rows with sqlcmd:
-- sqlcmd -S SQL1 -E -y 0 -f 65001 -o events.xml -Q "SET NOCOUNT ON; SELECT event_data FROM sys.fn_xe_file_target_read_file(N'C:\Temp\iobench_capture_io*.xel', NULL, NULL, NULL)"
SELECT event_data FROM sys.fn_xe_file_target_read_file(N'C:\Temp\iobench_capture_io*.xel', NULL, NULL, NULL);
