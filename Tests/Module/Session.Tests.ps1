BeforeDiscovery {
    . (Join-Path $PSScriptRoot 'SshHost.ps1')
    $reason = Get-SshHostReason
}

BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
}

Describe 'Invoke-IoTest -Session over SSH' -Skip:($null -ne $reason) -Tag "$reason" {
    BeforeAll {
        . (Join-Path $PSScriptRoot 'SshHost.ps1')
        $hosts = @(Start-SshHost $TestDrive -Count 3)
        $session = @($hosts | ForEach-Object { New-SshHostSession $_ })
        $two = $session[0, 1]
        # Hosts in namespaces have a disk of their own under one name. Elsewhere they are one computer: no device is needed to test what is said between them.
        $quick = @{ LiteralPath = (Join-Path $TestDrive 'disk' 'iobench.dat'); FileSize = '8MB'; Duration = 0.3; WarmUp = 0; WarningAction = 'SilentlyContinue' }
        if (-not $hosts[0].InNamespace) { $quick.Backend = 'Null' }
        $null = $two, $quick

        function Get-EngineThread {
            # Of all processes of a host; a thread may end while they are listed.
            param([object] $SshHost)

            foreach ($id in Get-SshHostProcess $SshHost) {
                Get-ChildItem "/proc/$id/task" -ErrorAction Ignore | ForEach-Object { Get-Content "$($_.FullName)/comm" -ErrorAction Ignore } | Where-Object { $_ -like 'IoBench*' }
            }
        }
    }

    AfterAll {
        # The hosts first: to close a session of one that is frozen would wait for it.
        Remove-SshHost $hosts
        $session | Remove-PSSession -ErrorAction Ignore
    }

    It 'touches no host with -WhatIf and puts nothing out' {
        Invoke-IoTest @quick -Session $two -WhatIf | Should -BeNullOrEmpty
        foreach ($item in $hosts[0, 1]) { Get-ChildItem $item.Data -Recurse -File -Exclude sshd*, telemetry.uuid, clr-debug-pipe*, dotnet-diagnostic* | Should -BeNullOrEmpty }
    }

    It 'copies the module, starts all hosts at one moment, and gives live results with their computer''s name' {
        $file = Join-Path $TestDrive 'all.json'
        $lines = Invoke-IoTest @quick -OutstandingIO 1, 2 -Session $two -OutputPath $file -Verbose 4>&1
        $results = @($lines | Where-Object { $_ -is [IoBench.Engine.IoTestResult] })
        "$($lines | Where-Object { $_ -is [System.Management.Automation.VerboseRecord] })" | Should -Match 'copying the module to'
        $results.Count | Should -Be 4
        $results.Status | Should -Be (@('Complete') * 4)
        $results[0].Timeline | Should -Not -BeNullOrEmpty
        $results[0].Histogram.Buckets | Should -Not -BeNullOrEmpty
        foreach ($load in 1, 2) {
            $pair = $results.Where({ $_.OutstandingIO -eq $load })
            $pair.Count | Should -Be 2
            if ($hosts[0].InNamespace) {
                $pair.ComputerName | Sort-Object | Should -Be ($hosts[0, 1].Name | Sort-Object)
            }
            [math]::Abs(($pair[0].StartTime - $pair[1].StartTime).TotalSeconds) | Should -BeLessThan 2
        }
        # No test begins before the last host has ended the test before.
        $ends = $results.Where({ $_.OutstandingIO -eq 1 }).ForEach({ $_.StartTime.AddSeconds($_.DurationSeconds) })
        ($results.Where({ $_.OutstandingIO -eq 2 }).StartTime | Sort-Object)[0] | Should -BeGreaterThan ($ends | Sort-Object)[-1].AddSeconds(-0.1)
        (Import-IoResult $file).Count | Should -Be 4
    }

    It 'shows what came from another host as it shows its own, with the host above it' {
        $result = Invoke-IoTest @quick -Session $two[0]
        $text = $result | Format-Table | Out-String -Width 120
        $text | Should -Match 'Test +Thr'
        if ($hosts[0].InNamespace) { $text | Should -Match ([regex]::Escape($hosts[0].Name)) }
        ($result | Export-IoReport (Join-Path $TestDrive 'remote.xlsx') -PassThru).Length | Should -BeGreaterThan 1000
    }

    It 'finds the module that it copied before' {
        $lines = Invoke-IoTest @quick -Session $two[0] -Verbose 4>&1
        "$lines" | Should -Match 'the module is in'
        "$lines" | Should -Not -Match 'copying the module'
    }

    It 'runs with -Resume what a host has not done, and nothing twice' {
        $file = Join-Path $TestDrive 'resume.json'
        Invoke-IoTest @quick -OutstandingIO 1, 2 -Session $two[0] -OutputPath $file | Out-Null
        $rest = Invoke-IoTest @quick -OutstandingIO 1, 2 -Session $two -OutputPath $file -Resume -InformationVariable notes
        "$($notes.MessageData)" | Should -BeLike "*$($two[0].ComputerName)*: The output already contains the results of both tests*"
        @($rest).Count | Should -Be 2
        if ($hosts[0].InNamespace) { $rest.ComputerName | Should -Be (@($hosts[1].Name) * 2) }
        (Import-IoResult $file).Count | Should -Be 4
        Invoke-IoTest @quick -OutstandingIO 1, 2 -Session $two -OutputPath $file -Resume | Should -BeNullOrEmpty
    }

    It 'ends with the verdict of each host, under its name' {
        $null = Invoke-IoTest @quick -Workload log-commit -Repeat 2 -Session $two -InformationVariable notes
        $names = $two | ForEach-Object { [regex]::Escape($hosts[0].InNamespace ? "$($_.ComputerName): " : "$($_.ComputerName) ($($_.Name)): ") }
        foreach ($name in $names) {
            @($notes.MessageData -match "^${name}log-commit: .*2 runs").Count | Should -Be 1
            # What a modelled device takes is no verdict on storage.
            if ($hosts[0].InNamespace) { @($notes.MessageData -match "^${name}(PASS|PRELIMINARY PASS|FAIL|NOT RATED)").Count | Should -Be 1 }
        }
    }

    It 'ends the rounds of a host when they are steady there' {
        $file = Join-Path $TestDrive 'rounds.json'
        $test = $quick.Clone()
        $test.Duration = 1
        $results = @(Invoke-IoTest @test -TargetIops 200 -SteadyState -Session $two -OutputPath $file)
        foreach ($group in $results | Group-Object { $_.ComputerName }) {
            $rounds = $group.Count / ($hosts[0].InNamespace ? 1 : 2)
            $rounds | Should -BeGreaterOrEqual 5
            $rounds | Should -BeLessThan 12
        }
        # What is steady is not run again.
        Invoke-IoTest @test -TargetIops 200 -SteadyState -Session $two -OutputPath $file -Resume | Should -BeNullOrEmpty
    }

    It 'takes the rates of a paced mix from what each host reached by itself' {
        $folder = Join-Path $TestDrive 'disk'
        $file = Join-Path $TestDrive 'mix.json'
        $test = @{ DataPath = Join-Path $folder 'd.dat'; LogPath = Join-Path $folder 'l.dat'; FileSize = '8MB'; Duration = 0.3; WarmUp = 0; MixLoad = 50; OutputPath = $file; WarningAction = 'SilentlyContinue' }
        if (-not $hosts[0].InNamespace) { $test.Backend = 'Null' }
        $results = @(Invoke-IoTest @test -Session $two)
        foreach ($group in $results | Group-Object ComputerName) {
            $mixes = @($group.Group.Where({ $_.Workload -eq 'all-roles-paced' }))
            $alone = @($group.Group.Where({ $_.Workload -eq 'page-read' }).IOPS)
            foreach ($mix in $mixes) {
                # Hosts that share a name share no rate.
                @($alone.Where({ [math]::Abs($_ / 2 - $mix.Specification.Targets[0].Pattern.TargetIops) -lt 0.01 })).Count | Should -BeGreaterThan 0
            }
        }
        $results.Where({ $_.Workload -eq 'all-roles-paced' }).Count | Should -Be 2
    }

    It 'reports what a host refuses under its name and goes on with the others' {
        if (-not $hosts[0].InNamespace) { Set-ItResult -Skipped -Because 'the hosts share one disk'; return }
        [System.IO.File]::WriteAllBytes((Join-Path $hosts[1].Data 'disk' 'theirs.dat'), [byte[]]::new(8MB))
        $more = $quick.Clone()
        $more.LiteralPath = Join-Path $TestDrive 'disk' 'theirs.dat'
        $results = Invoke-IoTest @more -WritePercent 100 -Session $two -RemoveTestFile -ErrorAction SilentlyContinue -ErrorVariable problems
        $results.ComputerName | Should -Be $hosts[0].Name
        $problems.Count | Should -Be 1
        $problems[0].FullyQualifiedErrorId | Should -Be 'IoBench.ForeignFile,IoBench.PowerShell.InvokeIoTestCommand'
        $problems[0].CategoryInfo.Category | Should -Be 'PermissionDenied'
        $problems[0].Exception.Message | Should -BeLike "$($session[1].ComputerName): *IoBench did not create*"
        # -RemoveTestFile removed what was made and left what was not.
        Join-Path $hosts[0].Data 'disk' 'theirs.dat' | Should -Not -Exist
        Join-Path $hosts[1].Data 'disk' 'theirs.dat' | Should -Exist
    }

    It 'says what is wrong before any host hears of it: <Id>' -ForEach @(
        @{ Id = 'IoBench.SessionPath'; More = @{ Path = 'data.dat' } }
        @{ Id = 'IoBench.SessionPath'; More = @{ Path = '/data/*.dat' } }
        @{ Id = 'IoBench.AutoThreads'; More = @{ Path = '/data/x.dat'; ThreadCount = 'Auto' } }
    ) {
        (Get-ErrorOf { Invoke-IoTest @More -Session $two }).FullyQualifiedErrorId | Should -Be "$Id,IoBench.PowerShell.InvokeIoTestCommand"
    }

    It 'ends the runs on all hosts at Ctrl+C' {
        $shell = [powershell]::Create()
        $null = $shell.AddScript('param($Module, $Session, $Test) Import-Module $Module; $Test.Duration = 600; Invoke-IoTest @Test -Session $Session').AddArgument("$repository/IoBench.psd1").AddArgument($two).AddArgument($quick.Clone())
        $null = $shell.BeginInvoke()
        $deadline = [datetime]::UtcNow.AddSeconds(60)
        while (-not (Get-EngineThread $hosts[1]) -and [datetime]::UtcNow -lt $deadline) { Start-Sleep -Milliseconds 100 }
        Get-EngineThread $hosts[1] | Should -Not -BeNullOrEmpty
        $shell.Stop()
        $shell.Dispose()
        Get-EngineThread $hosts[0] | Should -BeNullOrEmpty
        Get-EngineThread $hosts[1] | Should -BeNullOrEmpty
        # And the sessions are as good as before.
        (Invoke-IoTest @quick -Session $two).Count | Should -Be 2
    }

    It 'survives the loss of a host and says so' {
        $file = Join-Path $TestDrive 'lost.json'
        $lost = $hosts[2]
        $results = Invoke-IoTest @quick -OutstandingIO 1, 2 -Session $session[0, 2] -OutputPath $file -ErrorAction SilentlyContinue -ErrorVariable problems | ForEach-Object {
            # As soon as its first result is there, the machine is gone.
            if ($lost) { Stop-SshHost $lost; $lost = $null }
            $_
        }
        $problems.Count | Should -Be 1
        $problems[0].FullyQualifiedErrorId | Should -Be 'IoBench.HostLost,IoBench.PowerShell.InvokeIoTestCommand'
        $problems[0].CategoryInfo.Category | Should -Be 'ConnectionError'
        $problems[0].TargetObject | Should -Be $session[2]
        $problems[0].Exception.Message | Should -BeLike "$($session[2].ComputerName)*was lost: *"
        $problems[0].ErrorDetails.RecommendedAction | Should -Match '-Resume'
        if ($hosts[0].InNamespace) { $results.Where({ $_.ComputerName -eq $hosts[0].Name }).OutstandingIO | Should -Be 1, 2 }
        (Import-IoResult $file).Count | Should -Be @($results).Count
        # What is left of the session is said at once, too.
        $again = Invoke-IoTest @quick -Session $session[0, 2] -ErrorAction SilentlyContinue -ErrorVariable more
        @($again).Count | Should -Be 1
        $more[0].FullyQualifiedErrorId | Should -Be 'IoBench.HostLost,IoBench.PowerShell.InvokeIoTestCommand'
    }

    It 'takes a host for lost that falls silent without a word' {
        $frozen = Get-SshHostProcess $hosts[1]
        function Test-OutputTimeout {
            [CmdletBinding()]
            param($Session, $Frozen)
            $computers = [IoBench.PowerShell.SessionHost]::FromSessions([System.Management.Automation.Runspaces.PSSession[]]$Session)
            $calls = [IoBench.PowerShell.RemoteScriptRunner]::new($PSCmdlet, [System.Threading.CancellationToken]::None)
            $calls.OutputTimeout = [timespan]::FromSeconds(2)
            # No process is ended: no connection notices anything.
            foreach ($pair in $calls.Invoke($computers, 'while ($true) { 1; Start-Sleep -Milliseconds 200 }', { @{} })) {
                if ($Frozen -and $pair.Value -eq 1) { & kill -STOP @Frozen; $Frozen = $null }
            }
            $computers[0]
        }
        $lost = Test-OutputTimeout -Session $session[1] -Frozen $frozen -ErrorAction SilentlyContinue -ErrorVariable problems
        $lost.IsLost | Should -BeTrue
        $problems[0].FullyQualifiedErrorId | Should -Be 'IoBench.HostLost,Test-OutputTimeout'
        $problems[0].Exception.Message | Should -BeLike '* was lost: it did not respond for * s.*'
    }
}

Describe 'A session that cannot run IoBench' {
    It 'is refused when it is <Name>' -ForEach @(
        @{ Name = 'Windows PowerShell'; Found = @{ PowerShell = '5.1.19041.5607'; HasOther = $false }; Id = 'IoBench.SessionTooOld'; Words = 'SQL9 *-ConfigurationName PowerShell.7*' }
        @{ Name = 'an older PowerShell'; Found = @{ PowerShell = '7.3.0-preview.1'; HasOther = $false }; Id = 'IoBench.SessionTooOld'; Words = 'SQL9 *7.4*' }
        @{ Name = 'one with another build loaded'; Found = @{ PowerShell = '7.5.0'; HasOther = $true }; Id = 'IoBench.SessionHasOther'; Words = '*Open a new session*' }
    ) {
        $refusal = [IoBench.PowerShell.RemoteModuleLoader]::GetRefusal('SQL9', $Found)
        $refusal.ErrorId | Should -Be $Id
        $refusal.Message | Should -BeLike $Words
        [IoBench.PowerShell.RemoteModuleLoader]::GetRefusal('SQL9', @{ PowerShell = '7.4.1-preview.2'; HasOther = $false }) | Should -BeNullOrEmpty
    }
}
