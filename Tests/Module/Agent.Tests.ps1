BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
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
        Set-Content -LiteralPath $file -Value "{ `"rules`": [ { `"workload`": `"log-commit`", `"maxAverageLatencyMs`": $($LimitMs.ToString([cultureinfo]::InvariantCulture)) } ] }"
        $file
    }
}

Describe 'nightly-canary.ps1, run as SQL Agent would' {
    BeforeAll {
        # A server's own volume: what a canary is for, and nobody there to say yes.
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive 'data')).FullName
        [System.IO.File]::WriteAllBytes((Join-Path $folder 'Sales.mdf'), [byte[]]::new(8KB))
        $file = (New-IoTestFile (Join-Path $folder 'iobench.dat') -FileSize 8MB).FullName
        $night = '-Path', $file, '-Duration', '0.3'
        $null = $night
    }

    It 'ends with 0 and leaves workbook, page and JSON under dated names' {
        $out = Join-Path $TestDrive 'kept'
        $run = Invoke-AsAgent -Argument ($night + '-OutputFolder', $out, '-RuleSet', (New-RuleFile 'easy' 60000))
        $run.Error | Should -BeNullOrEmpty
        $run.ExitCode | Should -Be 0
        $run.Output | Should -Match '2 tests, 0 rules missed'
        $names = (Get-ChildItem $out).Name
        foreach ($extension in 'json', 'xlsx', 'html') { $names -match "^\d{4}-\d{2}-\d{2}_\d{4}\.$extension$" | Should -HaveCount 1 }
        (Import-IoResult (Get-ChildItem $out -Filter *.json).FullName).Workload | Should -Contain 'log-commit'
    }

    It 'ends with 3 and says which rule was missed' {
        $run = Invoke-AsAgent -Argument ($night + '-OutputFolder', (Join-Path $TestDrive 'missed'), '-RuleSet', (New-RuleFile 'hard' 0.000001))
        $run.ExitCode | Should -Be 3
        $run.Output | Should -Match 'log-commit: average latency .* ms, limit'
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
    It 'have no Agent token and no T-SQL that a parser stumbles over: <_>' -ForEach 'sql-agent-job.sql', 'sql-agent-job-program.sql' {
        $text = [System.IO.File]::ReadAllText((Join-Path $examples $_))
        # A token is $(NAME): in a step it would be replaced or fail the job. Comments are no step.
        $code = $text -replace '(?m)^\s*--.*$'
        $code | Should -Not -Match '\$\('
        # Every string is closed, every procedure is one of msdb's, and every job step says which exit code is success.
        ([regex]::Matches($code, "'").Count % 2) | Should -Be 0
        [regex]::Matches($code, 'EXEC\s+(?:dbo\.)?(\w+)').ForEach({ $_.Groups[1].Value }) | Sort-Object -Unique | Should -Be 'sp_add_job', 'sp_add_jobschedule', 'sp_add_jobserver', 'sp_add_jobstep'
        [regex]::Matches($code, 'sp_add_jobstep').Count | Should -Be ([regex]::Matches($code, '@cmdexec_success_code = 0').Count)
        [regex]::Matches($code, "@subsystem = N'(\w+)'").ForEach({ $_.Groups[1].Value }) | Sort-Object -Unique | Should -Be 'CmdExec'
    }

    It 'call the script with parameters that it has' {
        $parameters = (Get-Command $script).Parameters.Keys
        foreach ($file in 'sql-agent-job.sql', 'iobench-canary.service') {
            $text = [System.IO.File]::ReadAllText((Join-Path $examples $file))
            foreach ($name in [regex]::Matches(($text -replace '(?s)^.*?nightly-canary\.ps1"?', ''), '(?m)(?<=\s)-(?<name>[A-Z]\w+)').ForEach({ $_.Groups['name'].Value })) { $parameters | Should -Contain $name -Because $file }
        }
    }

    It 'are units that systemd takes' -Skip:(-not (Get-Command systemd-analyze -ErrorAction Ignore)) {
        foreach ($file in 'iobench-canary.service', 'iobench-canary.timer') { Copy-Item (Join-Path $examples $file) $TestDrive }
        # The programs of the service need not be installed here.
        $service = Join-Path $TestDrive 'iobench-canary.service'
        [System.IO.File]::WriteAllText($service, ([System.IO.File]::ReadAllText($service) -replace 'ExecStart=\S+', 'ExecStart=/bin/true'))
        $said = systemd-analyze verify (Join-Path $TestDrive 'iobench-canary.timer') 2>&1 | Where-Object { $_ -match 'iobench-canary' }
        $said | Should -BeNullOrEmpty
    }
}
