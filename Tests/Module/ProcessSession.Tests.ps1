# Invoke-IoTest -Session with sessions to processes of this computer, which need no ssh. Session.Tests.ps1 has the cases that need several hosts.
BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')

    function New-ProcessSession {
        [CmdletBinding()]
        param()

        $runspace = [runspacefactory]::CreateOutOfProcessRunspace([System.Management.Automation.Runspaces.TypeTable]::LoadDefaultTypeFiles())
        $runspace.Open()
        [System.Management.Automation.Runspaces.PSSession]::Create($runspace, 'process', $PSCmdlet)
    }
}

Describe 'Invoke-IoTest -Session with processes' {
    BeforeAll {
        $two = (New-ProcessSession), (New-ProcessSession)
        $modeled = @{ LiteralPath = (Join-Path $TestDrive 'modeled.dat'); Backend = 'Null'; FileSize = '8MB'; Duration = 0.3; WarmUp = 0; WarningAction = 'SilentlyContinue' }
        $null = $modeled
    }

    AfterAll {
        $two | Remove-PSSession
    }

    It 'starts a test when all hosts have ended the test before, and returns results that are no group' {
        $file = Join-Path $TestDrive 'all.json'
        $lines = Invoke-IoTest @modeled -OutstandingIO 1, 2 -Session $two -OutputPath $file -Verbose 4>&1
        $results = @($lines | Where-Object { $_ -is [IoBench.Engine.IoTestResult] })
        $verbose = "$($lines | Where-Object { $_ -is [System.Management.Automation.VerboseRecord] })"
        $verbose | Should -Match 'copying the module to|the module is in'
        $verbose | Should -Match '2 tests, '
        $results.OutstandingIO | Should -Be 1, 1, 2, 2
        $results.Status | Should -Be (@('Complete') * 4)
        $results.ComputerName | Should -Be (@([Environment]::MachineName) * 4)
        @($results.GroupId).Where({ $_ }) | Should -BeNullOrEmpty
        @($results.Member).Where({ $_ }) | Should -BeNullOrEmpty
        $results[0].Timeline | Should -Not -BeNullOrEmpty
        $ends = $results[0, 1].ForEach({ $_.StartTime.AddSeconds($_.DurationSeconds) })
        ($results[2, 3].StartTime | Sort-Object)[0] | Should -BeGreaterThan ($ends | Sort-Object)[-1].AddSeconds(-0.1)
        (Import-IoResult $file).Count | Should -Be 4
    }

    It 'runs with -Resume what a host has not done, and nothing twice' {
        $file = Join-Path $TestDrive 'resume.json'
        Invoke-IoTest @modeled -OutstandingIO 1, 2 -Session $two[0] -OutputPath $file | Out-Null
        $rest = Invoke-IoTest @modeled -OutstandingIO 1, 2 -Session $two -OutputPath $file -Resume -InformationVariable notes
        $notes.MessageData[0] | Should -BeLike 'localhost (*): The output already contains the results of both tests*'
        $notes.MessageData[1] | Should -BeLike 'localhost (*): The output contains no results of the 2 tests.*'
        @($rest).Count | Should -Be 2
        (Import-IoResult $file).Count | Should -Be 4
        Invoke-IoTest @modeled -OutstandingIO 1, 2 -Session $two -OutputPath $file -Resume | Should -BeNullOrEmpty
    }

    It 'ends the rounds of a host when they are steady there' {
        $file = Join-Path $TestDrive 'rounds.json'
        $test = $modeled.Clone()
        $test.Duration = 1
        $results = @(Invoke-IoTest @test -TargetIops 200 -SteadyState -Session $two[0] -OutputPath $file -ErrorVariable problems)
        $results.Count | Should -BeGreaterOrEqual 5
        $results.Count | Should -BeLessThan 12
        $problems | Should -BeNullOrEmpty
        Invoke-IoTest @test -TargetIops 200 -SteadyState -Session $two[0] -OutputPath $file -Resume | Should -BeNullOrEmpty
    }

    It 'takes the rates of a paced mix from what each host reached by itself, also in an earlier run' {
        $test = @{ DataPath = Join-Path $TestDrive 'd.dat'; LogPath = Join-Path $TestDrive 'l.dat'; Backend = 'Null'; FileSize = '8MB'; Duration = 0.3; WarmUp = 0; MixLoad = 50; WarningAction = 'SilentlyContinue' }
        $file = Join-Path $TestDrive 'mix.json'
        $results = @(Invoke-IoTest @test -Session $two -OutputPath $file)
        $alone = @($results.Where({ $_.Workload -eq 'page-read' }).IOPS)
        $mixes = $results.Where({ $_.Workload -eq 'all-roles-paced' })
        $mixes.Count | Should -Be 2
        foreach ($mix in $mixes) {
            @($alone.Where({ [math]::Abs($_ / 2 - $mix.Specification.Targets[0].Pattern.TargetIops) -lt 0.01 })).Count | Should -BeGreaterThan 0
        }
        # Only the mixes are missing, so their rates come from the file.
        $results.Where({ $_.Workload -ne 'all-roles-paced' }) | Export-IoResult $file -Force
        $again = @(Invoke-IoTest @test -Session $two -OutputPath $file -Resume -ErrorVariable problems)
        $again.Workload | Should -Be 'all-roles-paced', 'all-roles-paced'
        $problems | Should -BeNullOrEmpty
    }

    It 'ends with the verdict of each host, under its name' {
        $null = Invoke-IoTest @modeled -Workload log-commit -Repeat 2 -Session $two -InformationVariable notes
        foreach ($session in $two) {
            $name = [regex]::Escape("localhost ($($session.Name)): ")
            @($notes.MessageData -match "^${name}log-commit: .*2 runs").Count | Should -Be 1
        }
    }

    It 'reports what a host refuses, goes on, and keeps or removes its own files: <Removes>' -ForEach @(@{ Removes = $true }, @{ Removes = $false }) {
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive ([guid]::NewGuid()))).FullName
        $theirs = Join-Path $folder 'theirs.dat'
        [System.IO.File]::WriteAllBytes($theirs, [byte[]]::new(8MB))
        $own = Join-Path $folder 'own.dat'
        $results = @(Invoke-IoTest -LiteralPath $theirs, $own -FileSize 8MB -Duration 0.3 -WarmUp 0 -WritePercent 100 -Session $two[0] -RemoveTestFile:$Removes -ErrorAction SilentlyContinue -ErrorVariable problems -InformationVariable notes -WarningAction SilentlyContinue)
        $results.Path | Should -Be $own
        $problems.Count | Should -Be 1
        $problems[0].FullyQualifiedErrorId | Should -Be 'IoBench.ForeignFile,IoBench.PowerShell.InvokeIoTestCommand'
        $problems[0].CategoryInfo.Category | Should -Be 'PermissionDenied'
        $problems[0].TargetObject | Should -Be $two[0]
        $problems[0].Exception.Message | Should -BeLike 'localhost: *IoBench did not create*'
        $problems[0].ErrorDetails.RecommendedAction | Should -BeLike '*-OverwriteFile*'
        Test-Path $own | Should -Be (-not $Removes)
        $theirs | Should -Exist
        # The verdict comes first, then the files that are kept.
        $kept = @($notes.MessageData).Where({ $_ -like "localhost: $own * is kept for the next run.*" })
        $kept.Count | Should -Be ($Removes ? 0 : 1)
        if (-not $Removes) { "$($notes[-1].MessageData)" | Should -Be "$kept" }
    }

    It 'overwrites a file that the user permits' {
        $theirs = Join-Path $TestDrive 'permitted.dat'
        [System.IO.File]::WriteAllBytes($theirs, [byte[]]::new(8MB))
        $result = Invoke-IoTest -LiteralPath $theirs -FileSize 8MB -Duration 0.3 -WarmUp 0 -WritePercent 100 -OverwriteFile permitted.dat -Session $two[0] -WarningAction SilentlyContinue
        $result.Status | Should -Be 'Complete'
    }

    It 'refuses a file that two sessions to one computer would test' {
        $file = Join-Path $TestDrive 'same.dat'
        $results = @(Invoke-IoTest -LiteralPath $file -FileSize 8MB -Duration 0.3 -WarmUp 0 -Session $two -ErrorAction SilentlyContinue -ErrorVariable problems -WarningAction SilentlyContinue)
        $results.Count | Should -Be 1
        $problems.FullyQualifiedErrorId | Should -Be 'IoBench.FleetSameFile,IoBench.PowerShell.InvokeIoTestCommand'
    }

    It 'ends the tests on all hosts at Ctrl+C' {
        $shell = [powershell]::Create()
        $null = $shell.AddScript('param($Module, $Session, $Test) Import-Module $Module; $Test.Duration = 600; Invoke-IoTest @Test -Session $Session').AddArgument("$repository/IoBench.psd1").AddArgument($two).AddArgument($modeled.Clone())
        $null = $shell.BeginInvoke()
        Start-Sleep -Seconds 4
        $watch = [System.Diagnostics.Stopwatch]::StartNew()
        $shell.Stop()
        $shell.Dispose()
        $watch.Elapsed.TotalSeconds | Should -BeLessThan 60
        # And the sessions are as good as before.
        (Invoke-IoTest @modeled -Session $two).Count | Should -Be 2
    }

    It 'removes the test files of a host at Ctrl+C' {
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive ([guid]::NewGuid()))).FullName
        $file = Join-Path $folder 'own.dat'
        $shell = [powershell]::Create()
        $null = $shell.AddScript({
            param($Module, $Session, $File)
            Import-Module $Module
            Invoke-IoTest -LiteralPath $File -FileSize 8MB -Duration 600 -WarmUp 0 -WritePercent 100 -Session $Session -RemoveTestFile -WarningAction SilentlyContinue
        }).AddArgument("$repository/IoBench.psd1").AddArgument($two[0]).AddArgument($file)
        $null = $shell.BeginInvoke()
        $deadline = [datetime]::UtcNow.AddSeconds(120)
        while (-not (Test-Path $file) -and [datetime]::UtcNow -lt $deadline) { Start-Sleep -Milliseconds 100 }
        $file | Should -Exist
        $shell.Stop()
        $shell.Dispose()
        $file | Should -Not -Exist
    }

    It 'runs on sessions with the same name' {
        $names = $two.Name
        $two | ForEach-Object { $_.Name = 'same' }
        try {
            $null = Invoke-IoTest @modeled -Workload log-commit -Session $two -InformationVariable notes -ErrorAction Stop
            foreach ($session in $two) {
                @($notes.MessageData -match "^localhost \(same\) #$($session.Id): log-commit: ").Count | Should -Be 1
            }
        } finally {
            0..1 | ForEach-Object { $two[$_].Name = $names[$_] }
        }
    }

    It 'reports a host that is lost, and goes on with the others' {
        # In a process that is killed at the end: PowerShell waits a minute to close a session whose process is gone.
        $script = Join-Path $TestDrive 'lost.ps1'
        Set-Content $script @'
param($Module, $Output)
function New-ProcessSession {
    [CmdletBinding()]
    param()
    $runspace = [runspacefactory]::CreateOutOfProcessRunspace([System.Management.Automation.Runspaces.TypeTable]::LoadDefaultTypeFiles())
    $runspace.Open()
    [System.Management.Automation.Runspaces.PSSession]::Create($runspace, 'process', $PSCmdlet)
}
Import-Module $Module
$kept = New-ProcessSession
$lost = New-ProcessSession
$process = Invoke-Command $lost { $PID }
$test = @{ LiteralPath = "$Output.dat"; Backend = 'Null'; FileSize = '8MB'; Duration = 0.3; WarmUp = 0; WarningAction = 'SilentlyContinue' }
$results = @(Invoke-IoTest @test -OutstandingIO 1, 2 -Session $kept, $lost -ErrorAction SilentlyContinue -ErrorVariable problems | ForEach-Object {
    Stop-Process -Id $process -ErrorAction Ignore
    $_.OutstandingIO
})
@{ Results = $results; Problems = @(foreach ($record in $problems) {
    @{
        Id = $record.FullyQualifiedErrorId
        Category = "$($record.CategoryInfo.Category)"
        IsTarget = $record.TargetObject -eq $lost
        Message = $record.Exception.Message
        Action = $record.ErrorDetails.RecommendedAction
    }
}) } | ConvertTo-Json -Depth 5 | Set-Content $Output
Stop-Process -Id $PID -Force
'@
        $output = Join-Path $TestDrive 'lost.json'
        $null = & (Get-Process -Id $PID).Path -NoProfile -NonInteractive -File $script "$repository/IoBench.psd1" $output
        $found = Get-Content $output -Raw | ConvertFrom-Json
        $found.Problems.Count | Should -Be 1
        $found.Problems[0].Id | Should -Be 'IoBench.HostLost,IoBench.PowerShell.InvokeIoTestCommand'
        $found.Problems[0].Category | Should -Be 'ConnectionError'
        $found.Problems[0].IsTarget | Should -BeTrue
        $found.Problems[0].Message | Should -BeLike 'localhost (*) was lost: *'
        $found.Problems[0].Action | Should -Match '-Resume'
        $found.Results | Should -Contain 2
    }
}
