-- A nightly job that tests storage gently. Change the two paths; the script is in a file because $(...) in a step is an Agent token.
USE msdb;
EXEC dbo.sp_add_job @job_name = N'IoBench canary', @description = N'Commit and page read latency of T:\, every night.';
EXEC dbo.sp_add_jobstep @job_name = N'IoBench canary', @step_name = N'pwsh', @subsystem = N'CmdExec',
    @command = N'pwsh -NoProfile -NonInteractive -File "C:\IoBench\nightly-canary.ps1" -Path "T:\iobench.dat" -OutputFolder "D:\io"',
    @cmdexec_success_code = 0, @on_fail_action = 2;
EXEC dbo.sp_add_jobschedule @job_name = N'IoBench canary', @name = N'nightly', @freq_type = 4, @freq_interval = 1, @active_start_time = 031500;
EXEC dbo.sp_add_jobserver @job_name = N'IoBench canary';

-- The same without PowerShell: this as the step's command.
-- C:\IoBench\iobench.exe run T:\iobench.dat --workload canary --require flash --output D:\io\{date}.json --report D:\io\{date}.html --force
