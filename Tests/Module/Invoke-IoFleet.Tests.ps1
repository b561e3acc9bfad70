BeforeDiscovery {
    . (Join-Path $PSScriptRoot 'SshHost.ps1')
    $reason = Get-SshHostReason
    # Members that are processes need the program.
    $program = [System.IO.Path]::Combine($env:IOBENCH_TEST_BIN, $IsWindows ? 'iobench.exe' : 'iobench')
    $noProgram = -not (Test-Path $program)
    $null = $noProgram
}

BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
    $program = [System.IO.Path]::Combine($env:IOBENCH_TEST_BIN, $IsWindows ? 'iobench.exe' : 'iobench')
    $quick = @{ Path = 'null'; Backend = 'Null'; TargetIops = 200; ThreadCount = 1; Duration = 1; WarmUp = 0.5; Confirm = $false; WarningAction = 'SilentlyContinue' }
    $null = $quick

    function New-Inventory {
        param([int] $Count, [string] $More = '')
        $file = Join-Path $TestDrive "hosts-$Count.ini"
        Set-Content $file "[san1]`nsql[1:$Count] ansible_connection=local array=SAN1 iobench_program=$program`n$More"
        $file
    }
}

Describe 'Invoke-IoFleet' {
    It 'does nothing without a yes, and says what it would do' {
        $file = New-Inventory 2
        $said = & (Get-Process -Id $PID).Path -NoProfile -NonInteractive -Command "Import-Module '$repository/IoBench.psd1'; Invoke-IoFleet '$file' null -Backend Null" 2>&1 | Out-String
        $said -replace '\s+', ' ' | Should -Match 'IoBench cannot ask for confirmation here: 2 hosts, 1 array, 1 test each'
        Invoke-IoFleet $file @quick -WhatIf | Should -BeNullOrEmpty
    }

    It 'refuses what contradicts itself' {
        (Get-ErrorOf { Invoke-IoFleet 'sql1,sql2' 'null' -Backend Null -GroupIops 5 -GroupMaxRate '5 IOPS' }).FullyQualifiedErrorId | Should -BeLike 'IoBench.ConflictingOptions,*'
        (Get-ErrorOf { Invoke-IoFleet 'sql1,sql2' 'null' -Backend Null -Resume }).FullyQualifiedErrorId | Should -BeLike 'IoBench.CannotResume,*'
        (Get-ErrorOf { Invoke-IoFleet 'sql1,sql2' 'null' -Backend Null -Require 'speed' }).FullyQualifiedErrorId | Should -BeLike 'IoBench.InvalidRequirement,*'
        (Get-ErrorOf { Invoke-IoFleet "$TestDrive/none.csv" 'null' -Backend Null }).FullyQualifiedErrorId | Should -BeLike 'IoBench.Inventory,*'
        (Get-ErrorOf { Invoke-IoFleet 'sql1,{{7*7}}' 'null' -Backend Null }).FullyQualifiedErrorId | Should -BeLike 'IoBench.Inventory,*'
        (Get-ErrorOf { Invoke-IoFleet 'sql1' '/data/{{7*7}}' }).FullyQualifiedErrorId | Should -BeLike 'IoBench.InvalidPath,*'
    }
}

Describe 'Invoke-IoFleet with processes of this computer' -Skip:$noProgram -Tag 'needs the program, which is not built' {
    It 'runs on all hosts at one moment, gives one answer, and continues with what a host missed' {
        $output = Join-Path $TestDrive 'fleet.json'
        $bad = New-Inventory 3 "[gone]`nsql9 ansible_connection=local iobench_program=/no/such/program"
        $answer = Invoke-IoFleet $bad @quick -OutputPath $output -ErrorVariable failed -ErrorAction SilentlyContinue
        $answer | Should -BeOfType ([IoBench.Analysis.FleetGroup])
        $answer.Hosts.Count, $answer.AskedHosts | Should -Be 3, 4
        $failed.FullyQualifiedErrorId | Should -BeLike 'IoBench.HostNotReached,*'
        # Why a host is missing is in the file.
        $saved = Import-IoResult $output
        $saved.Count | Should -Be 4
        $saved.Where({ $_.Member -eq 'sql9' }).ErrorId | Should -Be 'IoBench.HostNotReached'

        # The whole group of the test runs again.
        Set-Content $bad ((Get-Content $bad) -replace '/no/such/program', $program)
        $again = Invoke-IoFleet $bad @quick -OutputPath $output -Resume
        $again.Hosts.Count | Should -Be 4
        $again.GroupId | Should -Not -Be $answer.GroupId
        $again.Results.GroupMembers | Select-Object -Unique | Sort-Object | Should -Be 'sql1', 'sql2', 'sql3', 'sql9'
        # Nothing is left to run.
        (Invoke-IoFleet $bad @quick -OutputPath $output -Resume).GroupId | Should -Be $again.GroupId
    }

    It 'splits the rate of a group, and reports a figure that was missed' {
        $null = $quick.Remove('TargetIops')
        $answer = Invoke-IoFleet (New-Inventory 2) @quick -GroupIops 300 -Require 'sum iops > 300000' -ErrorVariable missed -ErrorAction SilentlyContinue
        $answer.Results.TargetIops | Should -Be 150, 150
        $missed.FullyQualifiedErrorId | Should -BeLike 'IoBench.FleetMissed,*'
        $quick.TargetIops = 200
    }
}

Describe 'Invoke-IoFleet -Session over SSH' -Skip:($null -ne $reason) -Tag "$reason" {
    BeforeAll {
        . (Join-Path $PSScriptRoot 'SshHost.ps1')
        $hosts = @(Start-SshHost $TestDrive -Count 2)
        $session = @($hosts | ForEach-Object { New-SshHostSession $_ })
        $null = $session
    }

    AfterAll {
        $session | Remove-PSSession -ErrorAction Ignore
        Remove-SshHost $hosts
    }

    It 'has sessions take part in the barrier' {
        $answer = Invoke-IoFleet -Session $session @quick -ErrorAction Stop
        $answer.Hosts.Count | Should -Be 2
        $answer.Results.StartOffsetSeconds | Should -Not -Contain $null
        $answer.Results.GroupId | Select-Object -Unique | Should -Be $answer.GroupId
        $answer.CommonPercent | Should -BeGreaterThan 0
    }

    It 'hears a member when it says something, without asking' {
        $plan = [IoBench.Formats.JsonResultSerializer]::SerializePlan([IoBench.Engine.IoTestSpecification[]]@(New-IoTestSpecification null -Backend Null -ThreadCount 1 -Duration 1))
        $job = Invoke-Command -Session $session[0] -AsJob -ArgumentList $plan {
            param($Plan)
            $call = [IoBench.PowerShell.RemoteFleetMember]::Begin('g', 'sql1', $Plan, $null, $ExecutionContext.Events, 'IoBench.Told')
            # The thread of the pipeline is busy, and no order comes.
            try { Start-Sleep -Seconds 120 } finally { $call.Dispose() }
        }
        try {
            $heard = $session[0].Runspace.Events.ReceivedEvents
            $deadline = [datetime]::UtcNow.AddSeconds(60)
            do {
                Start-Sleep -Milliseconds 50
                $lines = @($heard | Where-Object SourceIdentifier -EQ 'IoBench.Told' | ForEach-Object { $_.SourceArgs[0] })
            } until ($lines -match '"Ready"' -or [datetime]::UtcNow -gt $deadline)
            ($lines | ForEach-Object { ($_ | ConvertFrom-Json).state })[0, -1] | Should -Be 'Hello', 'Ready'
            $job.State | Should -Be 'Running'
        } finally {
            $job | Stop-Job -PassThru | Remove-Job -Force
        }
    }
}
