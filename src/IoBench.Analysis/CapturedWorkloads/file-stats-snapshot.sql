-- One snapshot. v.* contains the queued columns in the versions that have them. Azure SQL Database (edition 5) has no sys.master_files.
DECLARE @select nvarchar(max) = N'SELECT SYSDATETIME() AS taken, si.sqlserver_start_time, f.type_desc, f.physical_name, v.* FROM sys.dm_io_virtual_file_stats('
    + CASE WHEN CONVERT(int, SERVERPROPERTY('EngineEdition')) = 5 THEN N'DB_ID()' ELSE N'NULL' END
    + N', NULL) AS v CROSS JOIN sys.dm_os_sys_info AS si LEFT JOIN sys.'
    + CASE WHEN CONVERT(int, SERVERPROPERTY('EngineEdition')) = 5 THEN N'database_files AS f ON ' ELSE N'master_files AS f ON f.database_id = v.database_id AND ' END
    + N'f.file_id = v.file_id ORDER BY v.database_id, v.file_id;';
EXEC (@select);
