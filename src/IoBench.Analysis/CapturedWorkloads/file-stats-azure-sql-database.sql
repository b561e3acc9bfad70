-- For Azure SQL Database: snapshots of one database every 5 s for 10 minutes. Save the result as samples.csv, with headers.
-- Permission: VIEW DATABASE STATE; for Basic, S0, S1, and elastic pools the server role ##MS_ServerStateReader##.
SET NOCOUNT ON;
IF OBJECT_ID('tempdb..#file_stats') IS NOT NULL DROP TABLE #file_stats;
CREATE TABLE #file_stats (taken datetime2(3), sqlserver_start_time datetime, database_id smallint, file_id smallint, type_desc nvarchar(60), physical_name nvarchar(260),
    sample_ms bigint, num_of_reads bigint, num_of_bytes_read bigint, io_stall_read_ms bigint, num_of_writes bigint, num_of_bytes_written bigint, io_stall_write_ms bigint,
    io_stall_queued_read_ms bigint, io_stall_queued_write_ms bigint, size_on_disk_bytes bigint);
DECLARE @end datetime2(3) = DATEADD(MINUTE, 10, SYSDATETIME());
WHILE SYSDATETIME() < @end
BEGIN
    INSERT #file_stats
    SELECT SYSDATETIME(), si.sqlserver_start_time, v.database_id, v.file_id, f.type_desc, f.physical_name,
           v.sample_ms, v.num_of_reads, v.num_of_bytes_read, v.io_stall_read_ms, v.num_of_writes, v.num_of_bytes_written, v.io_stall_write_ms,
           v.io_stall_queued_read_ms, v.io_stall_queued_write_ms, v.size_on_disk_bytes
    FROM sys.dm_io_virtual_file_stats(DB_ID(), NULL) AS v
    CROSS JOIN sys.dm_os_sys_info AS si
    LEFT JOIN sys.database_files AS f ON f.file_id = v.file_id;
    WAITFOR DELAY '00:00:05';
END;
SELECT * FROM #file_stats ORDER BY taken, database_id, file_id;
