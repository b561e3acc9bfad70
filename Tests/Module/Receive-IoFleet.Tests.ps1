BeforeDiscovery {
    $program = [System.IO.Path]::Combine($env:IOBENCH_TEST_BIN, 'iobench')
    $noProgram = -not $IsLinux -or -not (Test-Path $program)
    $null = $noProgram
}

BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
    $program = [System.IO.Path]::Combine($env:IOBENCH_TEST_BIN, 'iobench')

    function New-MemberFile {
        <# What a member prints that has run a test. #>
        param([string] $Name, [double] $Iops, [switch] $IsCut)
        $result = New-TestResult -Iops $Iops
        $result.StartOffsetSeconds = 0.01
        $say = { param($state, $more) [IoBench.Application.FleetMessageSerializer]::Serialize([IoBench.Application.MemberMessage](@{ State = $state; Member = $Name; Group = 'night' } + $more)) }
        $lines = @(
            & $say Hello @{ Count = 1 }
            if (-not $IsCut) {
                & $say Done @{ Test = 1; Result = [IoBench.Formats.JsonResultSerializer]::SerializeToElement($result) }
                & $say End @{}
            }
        )
        $file = Join-Path $TestDrive "$Name.jsonl"
        Set-Content $file $lines
        $file
    }
}

Describe 'Receive-IoFleet' {
    It 'merges files in any order, from the pipeline too' {
        $files = @((New-MemberFile b 300), (New-MemberFile a 100))
        $answer = Get-Item $files | Receive-IoFleet
        $answer.Hosts.Host | Should -Be 'a', 'b'
        $answer.IOPS | Should -BeGreaterThan 400
        (Receive-IoFleet -Path $files[1], $files[0]).Summary | Should -Be $answer.Summary
    }

    It 'reports a file that breaks off as a failure of its host, and saves the rest' {
        $files = @((New-MemberFile b 300), (New-MemberFile c 1 -IsCut))
        $output = Join-Path $TestDrive 'all.json'
        $answer = Receive-IoFleet -Path $files -OutputPath $output -ErrorVariable lost -ErrorAction SilentlyContinue
        $answer.Failures.Host | Should -Be 'c'
        $lost.FullyQualifiedErrorId | Should -BeLike 'IoBench.HostLost,*'
        (Import-IoResult $output).Member | Should -Be 'b'
    }

    It 'says that files hold nothing of members' {
        $file = Join-Path $TestDrive 'empty.jsonl'
        Set-Content $file 'not a line of a member'
        (Get-ErrorOf { Receive-IoFleet -Path $file }).FullyQualifiedErrorId | Should -BeLike 'IoBench.NoFleet,*'
    }

    It 'writes nothing with -WhatIf' {
        $output = Join-Path $TestDrive 'untouched.json'
        (Receive-IoFleet -Path (New-MemberFile d 300) -OutputPath $output -WhatIf).Hosts.Host | Should -Be 'd'
        $output | Should -Not -Exist
    }

    It 'says that no host of a group can be fetched' -Skip:(-not $IsLinux) -Tag 'needs Linux' {
        $inventory = Join-Path $TestDrive 'local.csv'
        Set-Content $inventory "name,transport`na,local"
        (Get-ErrorOf { Receive-IoFleet $inventory 20200101-000000-abcd }).FullyQualifiedErrorId | Should -BeLike 'IoBench.HostNotReached,*'
    }

    It 'fetches what detached members measured' -Skip:$noProgram -Tag 'needs Linux and the program' {
        $inventory = Join-Path $TestDrive 'two.csv'
        Set-Content $inventory "name,transport,program`na,local,$program`nb,local,$program"
        $before = $env:XDG_CACHE_HOME
        $env:XDG_CACHE_HOME = Join-Path $TestDrive 'cache'
        try {
            $group = Invoke-IoFleet $inventory null -Backend Null -TargetIops 100 -ThreadCount 1 -Duration 1 -WarmUp 0.2 -Detach -StartAt '+15s' -Confirm:$false -InformationVariable said
            $group | Should -Match '^\d{8}-\d{6}-\w{4}$'
            "$said" | Should -Match '2 of 2 hosts start at'
            $deadline = [datetime]::UtcNow.AddMinutes(3)
            do {
                Start-Sleep 1
                $answer = Receive-IoFleet $inventory $group -ErrorAction SilentlyContinue
            } until ($answer.Hosts.Count -eq 2 -or [datetime]::UtcNow -gt $deadline)
            $answer.Hosts.Host | Should -Be 'a', 'b'
            $answer.AskedHosts | Should -Be 2
        } finally {
            $env:XDG_CACHE_HOME = $before
        }
    }
}
