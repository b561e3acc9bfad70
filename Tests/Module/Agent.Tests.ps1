BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
    . (Join-Path $PSScriptRoot 'SqlScript.ps1')
    $examples = Join-Path $repository 'docs' 'examples'
    $script = Join-Path $examples 'nightly-canary.ps1'

    function Invoke-AsAgent {
        # As a CmdExec step: no profile, no console, no input, no home and no TEMP of its own, output to a pipe.
        param([string[]] $Argument)

        $start = [System.Diagnostics.ProcessStartInfo]::new((Get-Process -Id $PID).Path)
        foreach ($item in @('-NoProfile', '-NonInteractive', '-File', $script, '-Module', (Join-Path $repository 'IoBench.psd1')) + $Argument) { $start.ArgumentList.Add($item) }
        foreach ($name in 'TEMP', 'TMP', 'TMPDIR', 'HOME', 'DISPLAY', 'TERM') { $null = $start.Environment.Remove($name) }
        $start.RedirectStandardInput = $true
        $start.RedirectStandardOutput = $true
        $start.RedirectStandardError = $true
        $process = [System.Diagnostics.Process]::Start($start)
        $process.StandardInput.Close()
        $problem = $process.StandardError.ReadToEndAsync()
        $text = $process.StandardOutput.ReadToEnd()
        $process.WaitForExit()
        @{ ExitCode = $process.ExitCode; Output = $text; Error = $problem.Result }
    }

    function New-RuleFile {
        param([string] $Name, [double] $LimitMs)

        $file = Join-Path $TestDrive "$Name.json"
        Set-Content -LiteralPath $file -Value "{ `"rules`": [ { `"workload`": `"log-commit-200iops`", `"maxAverageLatencyMs`": $($LimitMs.ToString([cultureinfo]::InvariantCulture)) } ] }"
        $file
    }
}

Describe 'nightly-canary.ps1, run as SQL Agent would' {
    BeforeAll {
        # A server's own volume: what a canary is for, and nobody there to say yes.
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive 'data')).FullName
        [System.IO.File]::WriteAllBytes((Join-Path $folder 'Sales.mdf'), [byte[]]::new(8KB))
        $file = (New-IoTestFile (Join-Path $folder 'iobench.dat') -FileSize 8MB).FullName
        $night = '-Path', $file, '-Duration', '1'
        $null = $night
    }

    It 'ends with 0 and leaves workbook, page and JSON under dated names' {
        $out = Join-Path $TestDrive 'kept'
        $run = Invoke-AsAgent -Argument ($night + '-OutputFolder', $out, '-RuleSet', (New-RuleFile 'easy' 60000))
        $run.Error | Should -BeNullOrEmpty
        $run.ExitCode | Should -Be 0
        $run.Output | Should -Match 'Tests: 2. Rules: 1 passed, 0 failed, 0 not rated.'
        $names = (Get-ChildItem $out).Name
        foreach ($extension in 'json', 'xlsx', 'html') { $names -match "^\d{4}-\d{2}-\d{2}_\d{6}\.$extension$" | Should -HaveCount 1 }
        (Import-IoResult (Get-ChildItem $out -Filter *.json).FullName).Workload | Should -Contain 'log-commit-200iops'
    }

    It 'ends with 3 and says which rule was missed' {
        $run = Invoke-AsAgent -Argument ($night + '-OutputFolder', (Join-Path $TestDrive 'missed'), '-RuleSet', (New-RuleFile 'hard' 0.000001))
        $run.ExitCode | Should -Be 3
        $run.Output | Should -Match '(?m)^log-commit-200iops: '
    }

    It 'ends with 3 when nothing could be rated' {
        $rules = Join-Path $TestDrive 'other.json'
        Set-Content -LiteralPath $rules -Value '{ "rules": [ { "workload": "oltp", "maxAverageLatencyMs": 1 } ] }'
        $run = Invoke-AsAgent -Argument ($night + '-OutputFolder', (Join-Path $TestDrive 'unrated'), '-RuleSet', $rules)
        $run.ExitCode | Should -Be 3
        $run.Output | Should -Match 'Tests: 2. Rules: 0 passed, 0 failed, 1 not rated.'
    }

    It 'finds an unknown rule set before the tests' {
        $out = Join-Path $TestDrive 'unknown'
        $run = Invoke-AsAgent -Argument ($night + '-OutputFolder', $out, '-RuleSet', 'nonsense')
        $run.ExitCode | Should -Be 1
        $run.Error | Should -Match 'nonsense'
        Test-Path $out | Should -BeFalse
    }

    It 'ends with 1 and one line on stderr when <Name>' -ForEach @(
        @{ Name = 'the folder is not there'; Argument = { '-Path', (Join-Path $TestDrive 'no' 'folder' 'x.dat'), '-OutputFolder', (Join-Path $TestDrive 'out') } }
        @{ Name = 'the file is SQL Server''s'; Argument = { '-Path', (Join-Path $folder 'Sales.mdf'), '-OutputFolder', (Join-Path $TestDrive 'out') } }
        @{ Name = 'the rule set is unknown'; Argument = { $night + '-OutputFolder', (Join-Path $TestDrive 'out'), '-RuleSet', 'nonsense' } }
        @{ Name = 'the workload is unknown'; Argument = { '-Path', $file, '-OutputFolder', (Join-Path $TestDrive 'out'), '-Workload', 'nonsense' } }
    ) {
        $run = Invoke-AsAgent -Argument (& $Argument)
        $run.ExitCode | Should -Be 1
        $run.Error.Trim().Split("`n").Count | Should -Be 1
        $run.Error.Trim() | Should -Not -BeNullOrEmpty
        $run.Error | Should -Not -Match '   at '
    }
}

Describe 'Job scripts' {
    It 'are T-SQL whose every call has the parameters that its documentation lists: <_>' -ForEach 'sql-agent-job.sql', 'sql-agent-job-program.sql' {
        $calls = @(Get-SqlCall ([System.IO.File]::ReadAllText((Join-Path $examples $_))))
        $calls.Procedure | Should -Be 'USE', 'sp_add_job', 'sp_add_jobstep', 'sp_add_jobschedule', 'sp_add_jobserver'
        $calls[0].Parameters.name | Should -Be 'msdb'
        # All of one job, whose step says which exit code is success and what then happens: 1 is success, 2 failure.
        $calls[1..4].ForEach({ $_.Parameters.job_name }) | Sort-Object -Unique | Should -HaveCount 1
        $step, $schedule = $calls[2, 3].Parameters
        $step.subsystem | Should -BeExactly 'CmdExec'
        $step.cmdexec_success_code, $step.on_success_action, $step.on_fail_action | Should -Be 0, 1, 2
        # A command line, whose quotes are closed, of a program with its full path.
        ($step.command.Split('"').Count - 1) % 2 | Should -Be 0
        $step.command | Should -Match '^"[A-Z]:\\[^"]+\.exe" '
        $step.command | Should -Not -Match "`n"
        # Every day at a time of the clock, HHMMSS.
        $schedule.freq_type, $schedule.freq_interval, $schedule.freq_subday_type | Should -Be 4, 1, 1
        $schedule.active_start_time.ToString('000000') | Should -Match '^([01]\d|2[0-3])([0-5]\d){2}$'
    }

    It 'would not pass with <Name>' -ForEach @(
        @{ Name = 'a quote that is not closed'; Change = { $_ -replace "canary',", 'canary,' }; Says = 'not closed|@parameter = value' }
        @{ Name = 'a parameter that is not there'; Change = { $_ -replace '@cmdexec_success_code', '@success_code' }; Says = 'sp_add_jobstep has no @success_code' }
        @{ Name = 'a step without a name'; Change = { $_ -replace "@step_name = N'pwsh', " }; Says = 'needs @step_name' }
        @{ Name = 'a step of no job'; Change = { $_ -replace "(?<=sp_add_jobstep )@job_name = N'[^']*', " }; Says = 'one of @job_id, @job_name' }
        @{ Name = 'a comma too few'; Change = { $_ -replace '= 0, @on_success', '= 0 @on_success' }; Says = 'with a comma between two' }
        @{ Name = 'a comma too many'; Change = { $_ -replace '@on_fail_action = 2;', '@on_fail_action = 2,;' }; Says = 'with a comma between two' }
        @{ Name = 'another procedure'; Change = { $_ -replace 'sp_add_jobserver', 'sp_add_server' }; Says = 'sp_add_server is not' }
        @{ Name = 'an Agent token'; Change = { $_ -replace 'T:\\iobench\.dat', '$(ESCAPE_NONE(SRVR))' }; Says = 'Agent token' }
        @{ Name = 'GO behind a statement'; Change = { $_ -replace 'USE msdb;\s+GO', 'USE msdb; GO' }; Says = 'alone in its line' }
        @{ Name = 'GO within a statement'; Change = { $_ -replace '@command', "`nGO`n@command" }; Says = 'middle of a statement' }
        @{ Name = 'a bracket too many'; Change = { $_ -replace 'USE msdb;', 'USE msdb);' }; Says = '\) without \(' }
        @{ Name = 'a batch that is not ended'; Change = { $_.TrimEnd() -replace ';\s*GO$' }; Says = 'no end' }
    ) {
        $text = [System.IO.File]::ReadAllText((Join-Path $examples 'sql-agent-job.sql'))
        $broken = $text | ForEach-Object $Change
        $broken | Should -Not -Be $text
        { Get-SqlCall $broken } | Should -Throw
        (Get-ErrorOf { Get-SqlCall $broken }).Exception.Message | Should -Match $Says
    }

    It 'call the script with parameters that it has' {
        $parameters = (Get-Command $script).Parameters.Keys
        foreach ($file in 'sql-agent-job.sql', 'iobench-canary.service') {
            $text = [System.IO.File]::ReadAllText((Join-Path $examples $file))
            foreach ($name in [regex]::Matches(($text -replace '(?s)^.*?nightly-canary\.ps1"?', ''), '(?m)(?<=\s)-(?<name>[A-Z]\w+)').ForEach({ $_.Groups['name'].Value })) { $parameters | Should -Contain $name -Because $file }
        }
    }

    It 'are units that systemd takes' {
        if (-not (Get-Command systemd-analyze -ErrorAction Ignore)) {
            Set-ItResult -Skipped -Because 'it needs systemd-analyze, which is not on the PATH'
            return
        }
        foreach ($file in 'iobench-canary.service', 'iobench-canary.timer') { Copy-Item (Join-Path $examples $file) $TestDrive }
        # The programs of the service need not be installed here.
        $service = Join-Path $TestDrive 'iobench-canary.service'
        [System.IO.File]::WriteAllText($service, ([System.IO.File]::ReadAllText($service) -replace 'ExecStart=\S+', 'ExecStart=/bin/true'))
        $said = systemd-analyze verify (Join-Path $TestDrive 'iobench-canary.timer') 2>&1 | Where-Object { $_ -match 'iobench-canary' }
        $said | Should -BeNullOrEmpty
    }
}
