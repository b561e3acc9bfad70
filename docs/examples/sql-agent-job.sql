-- A nightly job that tests storage gently, with PowerShell 7. Change the paths.
-- The script is in a file, because a dollar sign with a bracket in a step is an Agent token. The program has its full path: the Agent knows only the PATH it started with.
USE msdb;
GO
EXEC dbo.sp_add_job @job_name = N'IoBench canary', @description = N'Commit and page read latency of T:\, every night.';
EXEC dbo.sp_add_jobstep @job_name = N'IoBench canary', @step_name = N'pwsh', @subsystem = N'CmdExec',
    @command = N'"C:\Program Files\PowerShell\7\pwsh.exe" -NoProfile -NonInteractive -File "C:\IoBench\nightly-canary.ps1" -Path "T:\iobench.dat" -OutputFolder "D:\io"',
    @cmdexec_success_code = 0, @on_success_action = 1, @on_fail_action = 2;
EXEC dbo.sp_add_jobschedule @job_name = N'IoBench canary', @name = N'nightly at 03:15', @freq_type = 4, @freq_interval = 1, @freq_subday_type = 1, @active_start_time = 31500;
EXEC dbo.sp_add_jobserver @job_name = N'IoBench canary', @server_name = N'(local)';
GO
