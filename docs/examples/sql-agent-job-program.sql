-- The same job for a server without PowerShell 7: the iobench program alone. Change the paths.
USE msdb;
GO
EXEC dbo.sp_add_job @job_name = N'IoBench canary', @description = N'Commit and page read latency of T:\, every night.';
EXEC dbo.sp_add_jobstep @job_name = N'IoBench canary', @step_name = N'iobench', @subsystem = N'CmdExec',
    @command = N'"C:\IoBench\iobench.exe" run T:\iobench.dat --workload canary --require flash --output D:\io\{date}.json --report D:\io\{date}.xlsx --force --quiet',
    @cmdexec_success_code = 0, @on_success_action = 1, @on_fail_action = 2;
EXEC dbo.sp_add_jobschedule @job_name = N'IoBench canary', @name = N'nightly at 03:15', @freq_type = 4, @freq_interval = 1, @freq_subday_type = 1, @active_start_time = 31500;
EXEC dbo.sp_add_jobserver @job_name = N'IoBench canary', @server_name = N'(local)';
GO
